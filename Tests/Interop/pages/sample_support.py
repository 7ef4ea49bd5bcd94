"""A sample: its service, a gateway in front of a copy, and browsers that open its pages."""
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from studio_support import first_line

ROOT = pathlib.Path(__file__).resolve().parents[3]

# On a machine that is busy with others a page takes its time.
expect.set_options(timeout=30_000)
socket.setdefaulttimeout(60)


def none_left(found):
    """Waits until nothing is found any more."""
    end = time.monotonic() + 30
    while left := found():
        assert time.monotonic() < end, f"still there: {left}"
        time.sleep(0.05)


class Sample:
    """Everything below a temporary folder; ends what it started. It begins with the service alone."""

    def __init__(self, atmos, browser, name, route_file, service, **secrets):
        self.atmos, self.browser, self.folder = atmos, browser, tempfile.mkdtemp(prefix=f"atmosphere-{name}-")
        self.source, self.route_file, self.service_command = ROOT / "Samples" / name, route_file, service
        self.environment = dict(os.environ, HOME=self.folder, ATMOS_TRUST=self.folder + "/", TZ="UTC", **secrets)
        self.port, self.gateway_port, self.processes, self.contexts, self.errors = 0, 0, {}, [], []
        try:
            self.start_service()
        except BaseException:
            self.end()
            raise
        text = (self.source / route_file).read_text()
        lines = [f"base: {self.base}" if line.startswith("base:") else line for line in text.splitlines()]
        pathlib.Path(self.folder, route_file).write_text("\n".join(lines) + "\n")

    def spawn(self, name, command):
        process = self.processes[name] = subprocess.Popen(
            command, cwd=self.folder, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = first_line(process)
        assert line, f"{name} did not start"
        return line

    def start_service(self):
        """The command gets a port, and prints the base of the API."""
        self.base = self.spawn("service", [each.replace("{port}", str(self.port)) for each in self.service_command])
        self.port = int(self.base.split(":")[2].split("/")[0])

    def start_gateway(self, *options):
        told = json.loads(self.spawn("gateway", [
            self.atmos, "gateway", "-c", self.route_file, "--port", str(self.gateway_port), "--token-file", "token",
            "--pages", str(self.source / "pages"), "--json", *options]))
        self.link, self.gateway_port = told["link"], int(told["url"].rsplit(":", 1)[1])

    def is_kept(self, page):
        """Waits until the page can open without the gateway: a service worker has the files that it has loaded."""
        none_left(lambda: page.evaluate("""async () => {
            // A page that was reloaded while its worker began has no controller; the next load asks the worker all the same.
            if (!(await navigator.serviceWorker.getRegistration())?.active) return ["a page without a service worker"];
            const cache = await caches.open("atmosphere-pages");
            const files = [location.href, ...performance.getEntriesByType("resource").map(each => each.name)]
              .map(text => new URL(text)).filter(url => url.origin === location.origin && !/^\\/v1(\\/|$)/.test(url.pathname));
            const found = await Promise.all(files.map(url => cache.match(url.pathname, { ignoreSearch: true })));
            return files.filter((_, index) => !found[index]).map(String);
        }"""))

    def is_sent(self, page):
        """Waits until nothing that was written here waits any more, neither in the page nor in the gateway."""
        expect(page.locator("#status[data-state=connected][data-pending='0']")).to_be_attached()
        none_left(lambda: page.evaluate("async () => (await (await fetch('/v1/pending')).json()).items"))

    def kill(self, name):
        if name == "gateway":
            for page in (each for context in self.contexts for each in context.pages):
                self.is_kept(page)
        process = self.processes.pop(name)
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdout.close()

    def open(self, **options):
        """A page in a browser profile of its own."""
        context = self.browser.new_context(timezone_id="UTC", locale="en-GB", **options)
        context.set_default_timeout(20_000)
        self.contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.link)
        return page

    def is_accessible(self, page):
        found = Axe().run(page).response["violations"]
        assert not found, [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]

    def end(self):
        contexts, self.contexts = self.contexts, []
        try:
            for context in contexts:
                context.close()
        finally:
            for name in list(self.processes):
                self.kill(name)
            shutil.rmtree(self.folder)
        assert not self.errors, self.errors
