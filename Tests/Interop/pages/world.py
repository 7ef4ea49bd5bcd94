"""An API, a gateway in front of a copy of it, and browsers that open pages of it."""
import http.client
import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]

ROUTES = """\
atmosphere: 1
name: {name}
style: django-rest
base: {base}
store: {{ kind: sqlite, path: tasks.db }}
resources:
  lists:
    deletes: absent
  tasks:
    parent: {{ lists: list }}
    types: {{ done: boolean, rank: integer, weight: float, price: decimal, due: date, tags: json }}
    readonly: [modified]
    lookup: {{ field: uuid, query: uuid }}
"""


class World:
    """Everything below a temporary folder; ends what it started."""

    def __init__(self, atmos, browser, *options, seed=5, pages=HERE / "site", name="tasks"):
        self.atmos, self.browser, self.options = atmos, browser, options
        self.folder = tempfile.mkdtemp(prefix="atmosphere-pages-")
        self.environment = dict(os.environ, HOME=self.folder, ATMOS_TRUST=self.folder + "/")
        self.gateway, self.port, self.contexts, self.errors, self.name = None, 0, [], [], name
        self.pages = pages
        self.write_routes("http://127.0.0.1/api")
        self.source = self.spawn("source", "--port", "0", "--seed", str(seed))
        self.base = json.loads(self.source.stdout.readline())["url"]
        self.write_routes(self.base)
        self.run("pull")

    def write_routes(self, base, routes=ROUTES):
        with open(os.path.join(self.folder, "atmosphere.yaml"), "w") as file:
            file.write(routes.format(name=self.name, base=base))

    def spawn(self, *arguments):
        return subprocess.Popen([self.atmos, *arguments, "--json"], cwd=self.folder, env=self.environment,
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def run(self, *arguments):
        return subprocess.run([self.atmos, *arguments], cwd=self.folder, env=self.environment, check=True,
                              capture_output=True, text=True).stdout

    # The gateway

    def start(self, token_file="token"):
        self.gateway = self.spawn("gateway", "--port", str(self.port), "--token-file", token_file, "--pages", self.pages,
                                  *self.options)
        line = self.gateway.stdout.readline()
        assert line, "the gateway did not start"
        self.link = json.loads(line)["link"]
        self.url = self.link.split("/?")[0]
        self.port = int(self.url.rsplit(":", 1)[1])
        self.token = open(os.path.join(self.folder, token_file)).read().strip()

    def kill(self):
        self.gateway.send_signal(signal.SIGKILL)
        self.gateway.wait()
        self.gateway.stdout.close()
        self.gateway = None

    def ask(self, method, path, value=None, headers=()):
        """The status and the JSON of the gateway's answer."""
        return request(self.url, method, path, value, {"Authorization": f"Bearer {self.token}", **dict(headers)})

    def ask_source(self, method, path, value=None):
        return request(self.base, method, path, value)

    def records(self, entity="tasks"):
        found = []
        while True:
            status, answer = self.ask("GET", f"/v1/objects/{entity}?sort=id&limit=1000&offset={len(found)}")
            assert status == 200, answer
            found += answer["items"]
            if len(found) >= answer["total"] or not answer["items"]:
                return found

    # Browsers

    def profile(self, script=None, **options):
        """A browser profile of its own, let in by the link."""
        context = self.browser.new_context(**options)
        context.set_default_timeout(20000)
        if script:
            context.add_init_script(script)
        self.contexts.append(context)
        return context

    def open(self, context=None, script=None, wait="() => window.opened", **options):
        context = context or self.profile(script, **options)
        page = context.new_page()
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.goto(self.link)
        page.wait_for_function(wait)
        return page

    def end(self):
        for context in self.contexts:
            context.close()
        for process in (self.gateway, self.source):
            if process:
                process.terminate()
                process.wait()
                process.stdout.close()
        shutil.rmtree(self.folder)


def request(url, method, path, value=None, headers=()):
    host, _, base = url.removeprefix("http://").partition("/")
    connection = http.client.HTTPConnection(host, timeout=120)
    body = None if value is None else json.dumps(value)
    all_headers = dict(headers) if body is None else {"Content-Type": "application/json", **dict(headers)}
    connection.request(method, (f"/{base}" if base else "") + path, body, all_headers)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, json.loads(content) if content else None
