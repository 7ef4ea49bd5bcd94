"""The page of the sample ZaCloud in Chromium: zacloud_test.py ATMOS [--screenshots FOLDER]

The page is the phone of a user, and the test is their laptop. Prints a line for each test; the exit code is 0 where all passed.
"""
import argparse
import json
import os
import sys
import time
import urllib.parse
import urllib.request

from playwright.sync_api import expect, sync_playwright

from sample_support import Sample
from studio_support import chromium

SENT = "#status[data-state=connected][data-pending='0']"


class Laptop:
    def __init__(self, sample):
        self.sample, self.token = sample, ""
        self.token = self.ask("login", author="ada", password="secret", device="laptop")[0]["token"]

    def ask(self, page, **query):
        query = urllib.parse.urlencode({**query, "token": self.token})
        with urllib.request.urlopen(f"{self.sample.base}/{page}.php?{query}") as answer:
            return json.loads(answer.read())

    def lock(self, note, minutes=2):
        """Its clock is a year behind, and that does not matter."""
        return self.ask("locking", id=note, currentTime="2025-11-28 12:00:00", lockingTime=f"2025-11-28 12:{minutes:02}:00")[0]

    def insert(self, note, title, text):
        assert self.ask("insert", id=note, title=title, note=text, createDate="2026-11-28 09:00:00") == [{"status": "true"}]

    def update(self, note, title, text):
        return self.ask("update", id=note, title=title, note=text)[0]

    def notes(self):
        return {each["title"]: each for each in self.ask("newNotes", lastModified="1990-01-01 00:00:00")}


def until(what):
    end = time.monotonic() + 15
    while not what():
        assert time.monotonic() < end, "it has not happened"
        time.sleep(0.1)


def run(sample, screenshots):
    laptop = Laptop(sample)
    laptop.insert("1", "Shopping", "milk")
    laptop.insert("2", "Ideas", "a boat")
    sample.start_gateway("--watch")
    page = sample.open(color_scheme="light")
    # Under a clock of its own a page knows of no files that it has loaded.
    sample.is_kept(page)
    page.clock.install()
    page.reload()
    note = lambda title: page.get_by_role("button", name=title)
    button = lambda name: page.get_by_role("button", name=name, exact=True)
    text, lease = page.locator("#text"), page.locator("#lease")

    def picture(name, page=page):
        sample.is_accessible(page)
        if screenshots:
            page.screenshot(path=os.path.join(screenshots, f"zacloud-{name}.png"), full_page=True)

    note("Shopping").click()
    expect(lease).to_have_text("Others cannot edit it meanwhile")
    refused = laptop.lock("1")
    assert refused["status"] == "false" and refused["message"].startswith("phone edits it until "), refused
    assert laptop.update("1", "Shopping", "mine")["reason"] == "locked"
    assert laptop.notes()["Shopping"]["locked"] == "1" and laptop.notes()["Ideas"]["lockingTime"] == "0000-00-00 00:00:00"
    text.fill("milk, bread")
    picture("light")
    with page.expect_request("**/actions/notes/lock"):
        page.clock.fast_forward(110_000)
    button("Done").click()
    expect(page.locator(SENT)).to_be_attached()
    until(lambda: laptop.notes()["Shopping"]["note"] == "milk, bread" and laptop.notes()["Shopping"]["locked"] == "0")
    print("ok    a note that is edited is nobody else's, by the server's clock; the lease is renewed, and given back with the edit")

    assert laptop.lock("2") == {"status": "true"}
    note("Ideas").click()
    expect(lease).to_contain_text("Read-only: laptop edits it until")
    expect(text).to_have_attribute("readonly", "")
    button("Delete").click()
    expect(page.get_by_role("alert")).to_contain_text("laptop edits it until")
    dark = sample.open(color_scheme="dark")
    dark.get_by_role("button", name="Ideas laptop edits it").or_(dark.get_by_role("button", name="Ideas")).first.click()
    expect(dark.locator("#lease")).to_contain_text("Read-only")
    picture("dark", dark)
    dark.context.close()
    sample.contexts.remove(dark.context)
    assert laptop.update("2", "Ideas", "a boat, a tent") == {"status": "true"}
    assert laptop.lock("2", 0) == {"status": "true"}
    expect(lease).to_have_text("“Ideas” is free")
    expect(text).to_have_value("a boat, a tent")
    button("Edit").click()
    expect(lease).to_have_text("Others cannot edit it meanwhile")
    print("ok    what another device edits is read-only, and the page tells when that has ended")

    # The lease of the page is over after a second, and it learns of that when it renews it.
    button("Done").click()
    until(lambda: laptop.notes()["Ideas"]["locked"] == "0")
    sample.kill("service")
    sample.service_command += ["--lease", "1"]
    sample.start_service()
    note("Ideas").click()
    expect(lease).to_have_text("Others cannot edit it meanwhile")
    text.fill("a boat, a bike")
    until(lambda: laptop.lock("2")["status"] == "true")
    sample.kill("service")
    sample.service_command[-1] = "120"
    sample.start_service()
    assert laptop.lock("2") == {"status": "true"}
    page.clock.fast_forward(110_000)
    expect(lease).to_contain_text("Your lease has ended: laptop edits it until")
    button("Done").click()
    expect(page.locator("#decide")).to_contain_text("“Ideas” waits")
    assert laptop.notes()["Ideas"]["note"] == "a boat, a tent"
    assert laptop.update("2", "Ideas", "a kite") == {"status": "true"}
    assert laptop.lock("2", 0) == {"status": "true"}
    button("Synchronize").click()
    expect(page.locator("#decide")).to_contain_text("“Ideas” was changed here, and somebody else has changed it, too")
    expect(page.locator("#decide dd")).to_have_text(["a boat, a bike", "a kite"])
    picture("conflict")
    button("Keep mine").click()
    until(lambda: laptop.notes()["Ideas"]["note"] == "a boat, a bike")
    expect(page.locator("#decide")).to_be_hidden()
    print("ok    an edit without its lease is kept, and becomes a conflict that a person decides")

    # Who opens another note has not lost what was written.
    note("Shopping").click()
    expect(lease).to_have_text("Others cannot edit it meanwhile")
    text.fill("milk, bread, tea")
    note("Ideas").click()
    until(lambda: laptop.notes()["Shopping"]["note"] == "milk, bread, tea")
    expect(page.locator("#name")).to_have_text("Ideas")
    button("Done").click()
    # The lease is over after a second, and somebody deletes what is being written.
    laptop.insert("3", "Letter", "Dear Ben,")
    button("Synchronize").click()
    expect(note("Letter")).to_have_count(1)
    sample.kill("service")
    sample.service_command[-1] = "1"
    sample.start_service()
    note("Letter").click()
    expect(lease).to_have_text("Others cannot edit it meanwhile")
    text.fill("Dear Ben, thank you.")
    until(lambda: laptop.lock("3")["status"] == "true")
    assert laptop.ask("deletion", id="3") == [{"status": "true"}]
    sample.kill("service")
    sample.service_command[-1] = "120"
    sample.start_service()
    button("Synchronize").click()
    expect(note("Letter")).to_have_count(0)
    expect(lease).to_contain_text("Another device has deleted this note")
    expect(text).to_have_value("Dear Ben, thank you.")
    picture("gone")
    button("Done").click()
    until(lambda: laptop.notes().get("Letter", {}).get("note") == "Dear Ben, thank you.")
    until(lambda: laptop.notes()["Letter"]["id"] != "3")
    assert laptop.lock(laptop.notes()["Letter"]["id"]) == {"status": "true"}
    assert laptop.ask("deletion", id=laptop.notes()["Letter"]["id"]) == [{"status": "true"}]
    print("ok    what was written is kept where another note is opened, and where the note is deleted meanwhile")

    sample.kill("service")
    note("Shopping").click()
    expect(lease).to_contain_text("The server is away")
    button("Delete").click()
    expect(page.get_by_role("alert")).to_have_text("A note is deleted with the server only, and that is away")
    written = text.input_value()
    text.fill("")
    button("Done").click()
    expect(page.get_by_role("alert")).to_have_text("An empty note is not kept")
    text.fill(written)
    button("Done").click()
    button("Synchronize").click()
    expect(page.get_by_role("alert")).to_contain_text("there is no connection to the server")
    expect(page.locator("#status")).to_contain_text("the service is not reached")
    sample.kill("gateway")
    page.get_by_label("Title").fill("Train")
    page.get_by_label("Note", exact=True).fill("platform 7")
    button("New note").click()
    expect(note("Train")).to_contain_text("not sent yet")
    page.reload()
    expect(note("Train")).to_contain_text("platform 7")
    sample.start_service()
    sample.start_gateway("--watch")
    until(lambda: "Train" in laptop.notes())
    note("Shopping").click()
    expect(lease).to_have_text("Others cannot edit it meanwhile")
    button("Delete").click()
    expect(note("Shopping")).to_have_count(0)
    assert sorted(laptop.notes()) == ["Ideas", "Train"], laptop.notes()
    gone = [each["id"] for each in laptop.ask("syncDeletionRecords")]
    assert len(gone) == 3 and {"1", "3"} <= set(gone), gone
    print("ok    a note written without gateway and server is sent once; a note is deleted with the server only")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("atmos")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    expect.set_options(timeout=20_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Samples/ZaCloud/server/server.py")
        sample = Sample(
            options.atmos, browser, "ZaCloud", "zacloud.yaml", [sys.executable, server, "service.db", "{port}"],
            ZACLOUD_USERS="ada:secret", ZACLOUD_USER="ada", ZACLOUD_PASSWORD="secret", ZACLOUD_DEVICE="phone")
        try:
            run(sample, options.screenshots)
        finally:
            sample.end()
            browser.close()
    sys.exit(0)
