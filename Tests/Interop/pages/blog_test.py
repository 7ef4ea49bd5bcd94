"""The page of the sample SyncBlog in Chromium: blog_test.py ATMOS [--screenshots FOLDER]

Prints a line for each test; the exit code is 0 where all passed.
"""
import argparse
import json
import os
import sys
import urllib.error
import urllib.request

from playwright.sync_api import expect, sync_playwright

from sample_support import ROOT, Sample
from studio_support import chromium, picture

AWAY, BACK = "#status[data-state=unreachable]", "#status[data-state=connected][data-pending='0']"


def synced(sample, *posts):
    """What another client sends, and gets."""
    body = json.dumps({"modified_entities": [{"post": post} for post in posts], "last_sync_time": 0}).encode()
    request = urllib.request.Request(sample.base + "/sync", body, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        value = json.loads(answer.read())
    assert not value["conflicted_entities"], value
    return {each["post"]["guid"]: each["post"] for each in value["modified_entities"]}


def uploaded(sample, content):
    with urllib.request.urlopen(urllib.request.Request(sample.base + "/pictures", content)) as answer:
        return json.loads(answer.read())["url"]


def patched(page, uri, members):
    """An edit in the gateway, beside what the page keeps."""
    page.evaluate("""([uri, members]) => fetch(`/v1/objects/${uri}`, {
        method: "PATCH", headers: { "Content-Type": "application/json" }, body: JSON.stringify(members) })""", [uri, members])


def refused(sample, **body):
    """The status of a synchronization that is answered with none."""
    request = urllib.request.Request(sample.base + "/sync", json.dumps(body).encode(), {"Content-Type": "application/json"})
    try:
        urllib.request.urlopen(request)
    except urllib.error.HTTPError as error:
        return error.code


def run(sample, screenshots):
    mine, theirs = picture(200, 90, 40), picture(40, 90, 160)
    post = {"guid": "a1", "title": "First day", "body": "We have arrived.", "written": "2026-11-23T08:00:00Z"}
    synced(sample, post, {**post, "guid": "a2", "title": "Plans", "body": "Swim.", "written": "2026-11-24T08:00:00Z"})
    sample.start_gateway()
    page = sample.open(color_scheme="light")
    first, plans = (page.locator("#posts li", has=page.get_by_role("heading", name=name)) for name in ("First day", "Plans"))
    page.get_by_role("button", name="Synchronize").click()
    expect(plans.locator(".sign")).to_have_text("✓")

    sample.kill("gateway")
    page.get_by_label("Title").fill("On the train")
    page.get_by_label("Text", exact=True).fill("No network here.")
    page.get_by_role("button", name="Write").click()
    plans.get_by_label("Text of Plans").fill("Swim and hike.")
    plans.get_by_label("Text of Plans").blur()
    expect(page.locator(AWAY)).to_be_attached()
    page.reload()
    expect(plans.get_by_label("Text of Plans")).to_have_value("Swim and hike.")
    expect(page.locator("#posts li")).to_have_count(3)
    print("ok    written without the gateway, and there after a reload")

    # Meanwhile somebody else has edited the same text, and given the first post a picture.
    known = synced(sample)
    synced(sample, {**known["a2"], "body": "Swim and sleep."}, {**known["a1"], "picture": uploaded(sample, theirs)})
    sample.start_gateway()
    expect(page.locator(BACK)).to_be_attached()
    first.get_by_label("Picture").set_input_files({"name": "sunset.png", "mimeType": "image/png", "buffer": mine})
    expect(first.locator(".sign")).to_have_text("↑")
    page.get_by_role("button", name="Synchronize").click()
    conflicts = page.locator("#decide > li")
    expect(conflicts).to_have_count(2)
    expect(plans.locator(".sign")).to_have_text("C")
    expect(page.get_by_alt_text("The picture, theirs")).to_be_visible()
    loaded = "images => images.length === 2 && Promise.all(images.map(image => image.decode().then(() => image.naturalWidth)))"
    assert conflicts.locator("img").evaluate_all(loaded) == [160, 160]
    sample.is_accessible(page)
    if screenshots:
        page.screenshot(path=os.path.join(screenshots, "blog-light.png"), full_page=True)
    text = conflicts.filter(has_text="“Plans”")
    text.get_by_label("body, as I write it").fill("Swim, hike and sleep.")
    # An answer that fails takes no decision away, and no text.
    page.route("**/v1/unknown", lambda route: route.fulfill(status=500, json={"detail": "not now"}))
    with page.expect_response("**/v1/unknown"):
        patched(page, "posts/a1", {"title": "The first day"})
        page.evaluate("() => fetch('/v1/pull', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })")
    page.unroute("**/v1/unknown")
    with page.expect_response("**/v1/unknown"):
        pass
    expect(conflicts).to_have_count(2)
    expect(text.get_by_label("body, as I write it")).to_have_value("Swim, hike and sleep.")
    expect(text.get_by_label("body, as I write it")).to_be_focused()
    text.get_by_role("button", name="Decide").click()
    expect(conflicts).to_have_count(1)
    conflicts.get_by_label("mine").check()
    conflicts.get_by_role("button", name="Decide").click()
    expect(page.locator("#decide")).to_be_hidden()
    print("ok    a text decided by writing it, two pictures beside each other by choosing one")

    page.get_by_role("button", name="Synchronize").click()
    for item in (first, plans):
        expect(item.locator(".sign")).to_have_text("✓")
    there = synced(sample)
    assert there["a2"]["body"] == "Swim, hike and sleep." and there["a1"]["body"] == "We have arrived.", there
    assert there["a1"]["title"] == "The first day", there
    with urllib.request.urlopen(there["a1"]["picture"]) as answer:
        assert answer.read() == mine
    assert [each["title"] for each in there.values()].count("On the train") == 1, there
    other = sample.open(color_scheme="dark")
    expect(other.locator("#posts li")).to_have_count(3)
    expect(other.get_by_alt_text("Picture of The first day")).to_be_visible()
    sample.is_accessible(other)
    if screenshots:
        other.screenshot(path=os.path.join(screenshots, "blog-dark.png"), full_page=True)
    print("ok    sent at the next sync, once, and another page shows it")

    # One deletes what the other edits: the whole is decided.
    for decision in ("Keep theirs", "Delete it"):
        known = synced(sample)
        synced(sample, {**known["a2"], "body": f"Swim, before “{decision}”."})
        page.get_by_role("button", name="Delete Plans").click()
        expect(page.locator("#posts li")).to_have_count(2)
        page.get_by_role("button", name="Synchronize").click()
        expect(conflicts).to_contain_text("“Plans” was deleted here, and somebody else has changed it")
        sample.is_accessible(page)
        page.get_by_role("button", name=decision).click()
        expect(page.locator("#decide")).to_be_hidden()
        expect(page.locator("#posts li")).to_have_count(3 if decision == "Keep theirs" else 2)
    with page.expect_response("**/v1/sync"):
        page.get_by_role("button", name="Synchronize").click()
    sample.is_sent(page)
    assert synced(sample)["a2"]["is_deleted"] is True
    known = synced(sample)
    synced(sample, {**known["a1"], "is_deleted": True})
    edited = page.locator("#posts textarea").nth(1)
    edited.fill("We have left.")
    edited.blur()
    expect(page.locator("#posts .sign").nth(1)).to_have_text("↑")
    page.get_by_role("button", name="Synchronize").click()
    expect(conflicts).to_contain_text("“The first day” was changed here, and somebody else has deleted it")
    page.get_by_role("button", name="Let it go").click()
    expect(page.locator("#posts li")).to_have_count(1)
    print("ok    a deletion against an edit is decided, and an edit against a deletion")

    assert refused(sample, modified_entities=[], last_sync_time=float("nan")) == 400
    assert refused(sample, modified_entities=[{"post": {"guid": 12, "title": "a number"}}]) == 422
    print("ok    the server refuses a time that is no number, and a guid that is one")

    sample.kill("service")
    page.get_by_role("button", name="Synchronize").click()
    expect(page.get_by_role("alert")).to_contain_text("there is no connection to the server")
    expect(page.locator("#status")).to_contain_text("the service is not reached")
    sample.start_service()
    page.get_by_role("button", name="Synchronize").click()
    expect(page.get_by_role("alert")).to_be_hidden()
    expect(page.locator("#status")).to_have_text("in step with the gateway")
    print("ok    the page says that the service is not reached, and when it is again")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("atmos")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        server = str(ROOT / "Samples/SyncBlog/server/server.py")
        sample = Sample(options.atmos, browser, "SyncBlog", "blog.yaml", [sys.executable, server, "server.db", "{port}"])
        try:
            run(sample, options.screenshots)
        finally:
            sample.end()
            browser.close()
