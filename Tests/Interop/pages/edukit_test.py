"""The page of the sample Edukit in Chromium: edukit_test.py ATMOS [--screenshots FOLDER]

Needs what Tests/Interop/rails/setup.sh installs. Prints a line for each test; the exit code is 0 where all passed.
"""
import argparse
import json
import os
import pathlib
import signal
import sys
import urllib.request

from playwright.sync_api import expect, sync_playwright

from sample_support import ROOT, Sample, none_left
from studio_support import chromium

KEYS = {name: f"{name}-0123456789abcdef" for name in ("anna", "ben", "clara", "publisher")}
READING_LIST = "Chapter 1: the ideas\nChapter 2: the web\nChapter 3: the cache\n"


class School(Sample):
    """Rails and its notification server; Anna and Ben have a gateway each, and Clara an old client."""

    def __init__(self, atmos, browser):
        self.live_port, self.links, self.ports = 0, {}, {}
        server = str(ROOT / "Samples/Edukit/server/server.rb")
        super().__init__(atmos, browser, "Edukit", "edukit.yaml", ["ruby", server, "school.db", "{port}"])

    def start_service(self):
        if "notifications" not in self.processes:
            self.start_notifications()
        self.environment.update(
            EDUKIT_KEYS="users.keys", ATMOSPHERE_URL=f"http://127.0.0.1:{self.live_port}", ATMOSPHERE_KEY=KEYS["publisher"])
        super().start_service()

    def start_notifications(self):
        for file, names in (("users.keys", ("anna", "ben", "clara")), ("publishers.keys", ("publisher",))):
            pathlib.Path(self.folder, file).write_text("".join(f"{KEYS[name]} {name}\n" for name in names))
        url = self.spawn("notifications", [
            self.atmos, "serve", "--port", str(self.live_port), "--publishers", "publishers.keys", "--clients", "users.keys"])
        self.live_port = int(url.rsplit(":", 1)[1])

    def start_gateway(self, name):
        folder = pathlib.Path(self.folder, name)
        folder.mkdir(exist_ok=True)
        text = pathlib.Path(self.folder, self.route_file).read_text()
        (folder / self.route_file).write_text(text.replace("ws://127.0.0.1:8765", f"ws://127.0.0.1:{self.live_port}"))
        self.environment["EDUKIT_KEY"] = KEYS[name]
        told = json.loads(self.spawn(f"gateway of {name}", [
            self.atmos, "gateway", "-c", f"{name}/{self.route_file}", "--port", str(self.ports.get(name, 0)),
            "--token-file", f"{name}/token", "--pages", str(self.source / "pages"), "--watch", "--json"]))
        self.links[name], self.ports[name] = told["link"], int(told["url"].rsplit(":", 1)[1])

    def open(self, name, **options):
        self.link = self.links[name]
        page = super().open(**options)
        expect(page.locator("#status[data-live=connected]")).to_have_text("live")
        return page

    def asked(self, method, path, value=None):
        """What Clara's old client does: plain HTTP, without live updates and identifiers of its own."""
        body = None if value is None else json.dumps(value).encode()
        headers = {"Authorization": f"Bearer {KEYS['clara']}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(self.base + path, body, headers, method=method)) as answer:
            return json.loads(answer.read())

    def texts(self):
        return [each["text"] for each in sorted(self.asked("GET", "/messages.json"), key=lambda each: each["written_at"])]

    def has(self, *texts):
        none_left(lambda: self.texts() != list(texts) and self.texts())


def say(page, text):
    page.get_by_label("Message").fill(text)
    page.get_by_role("button", name="Send").click()


def shows(page, *lines):
    expect(page.locator("#messages li")).to_have_text(list(lines))


def run(school, screenshots):
    def shot(page, name):
        if screenshots:
            page.screenshot(path=os.path.join(screenshots, f"edukit-{name}.png"), full_page=True)

    for name in ("anna", "ben"):
        school.start_gateway(name)
    anna, ben = school.open("anna", color_scheme="dark"), school.open("ben", color_scheme="light")
    expect(anna.locator("#courses h2")).to_have_text(["Local-first software", "Staff"])
    expect(ben.locator("#courses h2")).to_have_text(["Local-first software"])
    topic = next(each["id"] for each in school.asked("GET", "/topics.json") if each["title"] == "Chapter 4")
    for page in (anna, ben):
        page.get_by_role("button", name="Chapter 4").click()
    say(anna, "Who has read it?")
    shows(ben, "annaWho has read it?")
    school.asked("POST", "/messages.json", {"topic_id": topic, "text": "I have, twice."})
    for page in (anna, ben):
        shows(page, "annaWho has read it?", "claraI have, twice.")
    print("ok    a message shows at once to every member, from a new client and from an old one")

    ben.get_by_label("Notify me").check()
    expect(ben.locator("#notify[data-state=on]")).to_be_attached()
    say(anna, "@ben, please put it on the list.")
    expect(ben.locator("#notifications p")).to_have_text(["anna asks you in “Chapter 4”: @ben, please put it on the list."])
    shows(ben, "annaWho has read it?", "claraI have, twice.", "anna@ben, please put it on the list.")
    for page, name in ((anna, "topic-dark"), (ben, "topic-light")):
        school.is_accessible(page)
        shot(page, name)
    ben.get_by_label("Notify me").uncheck()
    school.asked("POST", "/messages.json", {"topic_id": topic, "text": "@ben too late"})
    expect(ben.locator("#messages li")).to_have_count(4)
    expect(ben.locator("#notifications p")).to_have_count(1)
    expect(anna.locator("#notifications p")).to_have_count(0)
    print("ok    notifications are apart from messages, and for who wants them")

    for page in (anna, ben):
        page.get_by_role("button", name="Reading list").click()
        expect(page.get_by_label("Text")).to_have_value(READING_LIST)
    ben.get_by_label("Text").fill(READING_LIST + "Chapter 4: the client\n")
    expect(ben.locator("#page-state")).to_have_text("not saved")
    anna.get_by_label("Text").fill(READING_LIST.replace("ideas", "ideas (short)"))
    anna.get_by_role("button", name="Save").click()
    both = READING_LIST.replace("ideas", "ideas (short)") + "Chapter 4: the client\n"
    expect(ben.get_by_label("Text")).to_have_value(both)
    shot(ben, "page-light")
    school.is_accessible(ben)
    ben.get_by_role("button", name="Save").click()
    expect(anna.get_by_label("Text")).to_have_value(both)
    expect(anna.locator("#page-state")).to_have_text("last edited by ben")
    print("ok    two people write into one page at once")

    # The gateways are cut off from Rails, and each page is edited; then both come back.
    school.is_sent(anna)
    school.kill("service")
    anna.get_by_label("Text").fill(both.replace("(short)", "(shorter)"))
    anna.get_by_role("button", name="Save").click()
    ben.get_by_label("Text").fill(both.replace("the cache", "the cache, again"))
    ben.get_by_role("button", name="Save").click()
    for page in (anna, ben):
        expect(page.locator("#status")).to_contain_text("the school is not reached")
    school.start_service()
    both = both.replace("(short)", "(shorter)").replace("the cache", "the cache, again")
    for page in (anna, ben):
        expect(page.get_by_label("Text")).to_have_value(both)
        school.is_sent(page)
    assert [each["text"] for each in school.asked("GET", "/pages.json") if each["title"] == "Reading list"] == [both]
    print("ok    what both have written without Rails is merged by lines")

    mine, theirs = (both.replace("the web", text) for text in ("the web, quickly", "the web in 2012"))
    ben.get_by_label("Text").fill(mine)
    anna.get_by_label("Text").fill(theirs)
    anna.get_by_role("button", name="Save").click()
    expect(ben.locator("#page-state")).to_have_text("not saved; anna has changed the same lines")
    expect(ben.get_by_label("Text")).to_have_value(mine)
    ben.get_by_role("button", name="Save").click()
    expect(ben.locator("#theirs")).to_have_text(theirs)
    school.is_accessible(ben)
    shot(ben, "conflict-light")
    ben.get_by_role("button", name="Keep mine").click()
    expect(anna.get_by_label("Text")).to_have_value(mine)
    expect(ben.locator("#conflict")).to_be_hidden()
    expect(ben.get_by_label("Text")).to_have_value(mine)
    print("ok    what both have written into one line a person decides")

    for page in (anna, ben):
        page.get_by_role("button", name="Chapter 4").click()
    before = school.texts()
    rails = school.processes["service"]
    rails.send_signal(signal.SIGUSR1)
    say(anna, "Sent once?")
    rails.wait(30)
    expect(anna.locator("#messages li").last).to_contain_text("to be sent")
    school.kill("service")
    school.start_service()
    expect(ben.locator("#messages li").last).to_have_text("annaSent once?")
    expect(anna.locator("#messages li").last).to_have_text("annaSent once?")
    school.is_sent(anna)
    school.has(*before, "Sent once?")
    print("ok    a message whose answer was lost with Rails is there once")

    school.kill("notifications")
    for page in (anna, ben):
        expect(page.locator("#status[data-live=disconnected]")).to_be_attached()
    school.asked("POST", "/messages.json", {"topic_id": topic, "text": "Nobody is told of this."})
    school.start_notifications()
    for page in (anna, ben):
        expect(page.locator("#messages li").last).to_have_text("claraNobody is told of this.")
        expect(page.locator("#status")).to_have_text("live")
    print("ok    what was said while the notification server was away is found when it is back")

    school.is_kept(ben)
    for name in ("gateway of ben", "service", "notifications"):
        school.kill(name)
    say(ben, "On the train.")
    say(ben, "In a tunnel.")
    expect(ben.locator("#messages li").last).to_contain_text("to be sent")
    expect(ben.locator("#status[data-state=unreachable]")).to_be_attached()
    ben.reload()
    ben.get_by_role("button", name="Chapter 4").click()
    expect(ben.locator("#messages li").last).to_contain_text("In a tunnel.")
    school.start_service()
    school.start_gateway("ben")
    for page in (anna, ben):
        expect(page.locator("#messages li").nth(-2)).to_have_text("benOn the train.")
        expect(page.locator("#messages li").last).to_have_text("benIn a tunnel.")
    school.is_sent(ben)
    school.has(*before, "Sent once?", "Nobody is told of this.", "On the train.", "In a tunnel.")
    print("ok    what is written while everything is away is sent once, in its order")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("atmos")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        school = School(options.atmos, browser)
        try:
            run(school, options.screenshots)
        finally:
            school.end()
            browser.close()
    sys.exit(0)
