"""The page of the sample TaskDo in Chromium: taskdo_test.py ATMOS [--screenshots FOLDER]

`atmos source` stands in for Google. Prints a line for each test; the exit code is 0 where all passed.
"""
import argparse
import json
import os
import pathlib
import sys
import time
import urllib.parse
import urllib.request

from playwright.sync_api import expect, sync_playwright

from sample_support import ROOT, Sample
from studio_support import chromium

STATUS = {"sent": "#status[data-state=connected][data-pending='0']", "away": "#status[data-state=unreachable]"}
# A gateway that is cut off has a proxy that is not there.
CUT = {"http_proxy": "http://127.0.0.1:1", "no_proxy": "", "NO_PROXY": ""}
GOOGLE = ["https://tasks.googleapis.com", "https://accounts.google.com", "https://oauth2.googleapis.com"]


class Google:
    """Somebody else who uses the same account."""

    def __init__(self, base):
        self.base, self.origin = base, base.removesuffix("/tasks/v1")
        form = {"grant_type": "client_credentials", "client_id": "page", "client_secret": "secret"}
        with urllib.request.urlopen(f"{self.origin}/token", urllib.parse.urlencode(form).encode()) as answer:
            self.token = json.loads(answer.read())["access_token"]

    def ask(self, method, path, value=None):
        body = None if value is None else json.dumps(value).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(self.base + path, body, headers, method=method)) as answer:
            return json.loads(answer.read() or b"{}")

    def list(self, title):
        return next(each["id"] for each in self.ask("GET", "/users/@me/lists")["items"] if each["title"] == title)

    def tasks(self, title):
        path = f"/lists/{self.list(title)}/tasks?maxResults=100&showHidden=true"
        return sorted(self.ask("GET", path).get("items", []), key=lambda task: task["position"])


def has(page, *expected):
    """The titles in their order, in the end."""
    end = time.monotonic() + 20
    while True:
        found = page.locator("#tasks .title").evaluate_all("each => each.map(({ value }) => value)")
        if found == list(expected):
            return
        assert time.monotonic() < end, f"{found} is not {expected}"
        page.wait_for_timeout(20)


def add(page, *new):
    for title in new:
        page.get_by_label("Title of a new task").fill(title)
        page.get_by_role("button", name="Add", exact=True).click()
        expect(page.get_by_label(f"Title of {title}", exact=True)).to_be_attached()


def drag(page, title, onto):
    """Beyond the middle of the other one."""
    middle = lambda box: (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    x, start = middle(page.get_by_label(f"Move {title}", exact=True).bounding_box())
    end = middle(page.get_by_label(f"Move {onto}", exact=True).bounding_box())[1]
    page.mouse.move(x, start)
    page.mouse.down()
    page.mouse.move(x, end + (5 if end > start else -5), steps=8)
    page.mouse.up()
    expect(page.locator(".lifted")).to_have_count(0)


def run(sample, screenshots):
    google = Google(sample.base)
    shot = lambda page, name: screenshots and page.screenshot(path=os.path.join(screenshots, f"taskdo-{name}.png"))
    sample.start_gateway("--watch")
    page = sample.open(color_scheme="light")
    page.get_by_role("button", name="Sign in").click()
    shot(page, "sign-in")
    with page.expect_popup() as popup:
        page.get_by_role("link", name="Go on at Google").click()
    expect(popup.value.get_by_role("heading")).to_have_text("Back to the program")
    popup.value.close()
    start = time.monotonic()
    expect(page.locator("#lists button")).to_have_text(["List 1"])
    first = time.monotonic() - start
    expect(page.locator("#sign-in")).to_be_hidden()
    print("ok    a person signs in, and the lists are there")

    page.get_by_label("Title of a new list").fill("Travel")
    page.get_by_role("button", name="Add the list").click()
    expect(page.locator("#list")).to_have_text("Travel")
    for title in ("Hat", "Book", "Tickets", "Passport"):
        add(page, title)
        # New tasks go to the top, and two at once in any order.
        sample.is_sent(page)
    has(page, "Passport", "Tickets", "Book", "Hat")
    drag(page, "Hat", "Passport")
    has(page, "Hat", "Passport", "Tickets", "Book")
    sample.is_sent(page)
    assert [task["title"] for task in google.tasks("Travel")] == ["Hat", "Passport", "Tickets", "Book"]
    sample.is_accessible(page)
    shot(page, "light")
    print("ok    tasks are created and dragged")

    sample.kill("gateway")
    expect(page.locator(STATUS["away"])).to_be_attached()
    add(page, "Coat", "Umbrella")
    page.get_by_label("Title of Book").fill("Two books")
    page.get_by_label("Title of Book").press("Enter")
    page.get_by_label("Done: Passport").check()
    has(page, "Umbrella", "Coat", "Hat", "Passport", "Tickets", "Two books")
    drag(page, "Umbrella", "Two books")
    has(page, "Coat", "Hat", "Passport", "Tickets", "Two books", "Umbrella")
    drag(page, "Tickets", "Hat")
    page.get_by_label("Move Two books").press("ArrowUp")
    has(page, "Coat", "Tickets", "Hat", "Two books", "Passport", "Umbrella")
    page.get_by_label("Move Two books").press("ArrowUp")
    has(page, "Coat", "Tickets", "Two books", "Hat", "Passport", "Umbrella")
    expect(page.get_by_label("Move Two books")).to_be_focused()
    expect(page.locator("#moved")).to_have_text("Two books: 3 of 6")
    page.get_by_role("button", name="Clean up").click()
    left = ["Coat", "Tickets", "Two books", "Hat", "Umbrella"]
    has(page, *left)
    shot(page, "offline")
    start = time.monotonic()
    page.reload()
    has(page, *left)
    again = time.monotonic() - start
    print("ok    the same without the gateway, by mouse and by keyboard, over a reload")

    sample.environment.update(CUT)
    sample.start_gateway("--watch")
    expect(page.locator(STATUS["sent"])).to_be_attached()
    expect(page.locator("#status")).to_contain_text("Google is not reached")
    has(page, *left)
    page.reload()
    has(page, *left)
    sample.kill("gateway")
    for name in CUT:
        del sample.environment[name]
    # Somebody else meanwhile.
    hat = next(task for task in google.tasks("Travel") if task["title"] == "Hat")
    google.ask("PATCH", f"/lists/{google.list('Travel')}/tasks/{hat['id']}", {"notes": "The straw one."})
    sample.start_gateway("--watch")
    sample.is_sent(page)
    has(page, *left)
    told = google.tasks("Travel")
    assert [task["title"] for task in told if not task.get("hidden")] == left, told
    assert [task["title"] for task in told if task.get("hidden")] == ["Passport"], told
    assert next(task for task in told if task["title"] == "Hat")["notes"] == "The straw one."
    print("ok    each was sent once, and Google has the same order")

    other = sample.open(color_scheme="dark")
    other.get_by_role("button", name="Travel").click()
    has(other, *left)
    other.get_by_label("Done: Hat").check()
    expect(page.get_by_label("Done: Hat")).to_be_checked()
    page.get_by_label("Delete Umbrella").click()
    has(other, *left[:-1])
    sample.is_sent(other)
    assert [task["status"] for task in google.tasks("Travel") if task["title"] == "Hat"] == ["completed"]
    sample.is_accessible(other)
    shot(other, "dark")
    print(f"ok    another page shows it; lists stood {first:.2f} s after the sign-in, and {again:.2f} s after a reload without the gateway")

    # One page is cut off from the gateway, and moves what the other deletes.
    page.context.set_offline(True)
    page.get_by_label("Move Coat").press("ArrowDown")
    has(page, "Tickets", "Coat", "Two books", "Hat")
    other.get_by_label("Delete Coat").click()
    has(other, "Tickets", "Two books", "Hat")
    sample.is_sent(other)
    page.context.set_offline(False)
    decision = page.locator("#decide > li")
    expect(decision).to_contain_text("was changed here, and somebody else has deleted it")
    sample.is_accessible(page)
    shot(page, "decide")
    page.get_by_role("button", name="Let it go").click()
    expect(page.locator("#decide")).to_be_hidden()
    sample.is_sent(page)
    assert "Coat" not in [task["title"] for task in google.tasks("Travel")]
    print("ok    what was moved here and deleted there is not brought back without being asked")

    page.context.set_offline(True)
    add(page, "Cap")
    title = page.get_by_label("Title of Cap")
    title.fill("Cap, blue")
    page.context.set_offline(False)
    sample.is_sent(page)
    assert "Cap" in [task["title"] for task in google.tasks("Travel")]
    expect(title).to_be_focused()
    expect(title).to_have_value("Cap, blue")
    title.press("Enter")
    expect(page.get_by_label("Title of Cap, blue")).to_be_attached()
    sample.is_sent(page)
    assert [task["title"] for task in google.tasks("Travel")].count("Cap, blue") == 1
    print("ok    what a person is writing stays while its task is created")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("atmos")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    route_file = ROOT / "Samples/TaskDo/taskdo.yaml"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        sample = Sample(
            options.atmos, browser, "TaskDo", "taskdo.yaml",
            [options.atmos, "source", "-c", str(route_file), "--port", "{port}", "--seed", "1", "--latency", "20"],
            GOOGLE_CLIENT_ID="page", GOOGLE_CLIENT_SECRET="secret")
        try:
            written = pathlib.Path(sample.folder, "taskdo.yaml")
            text = written.read_text()
            for origin in GOOGLE:
                text = text.replace(origin, sample.base.removesuffix("/tasks/v1"))
            written.write_text(text)
            run(sample, options.screenshots)
        finally:
            sample.end()
            browser.close()
    sys.exit(0)
