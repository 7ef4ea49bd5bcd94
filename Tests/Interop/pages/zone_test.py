"""The page of the sample Zone in Chromium: zone_test.py ATMOS PYTHON [--screenshots FOLDER]

PYTHON has what `Samples/Zone/server/requirements.txt` names. Prints a line for each test; the exit code is 0 where all passed.
"""
import argparse
import json
import os
import sys
import urllib.error
import urllib.request

from playwright.sync_api import expect, sync_playwright

from sample_support import Sample
from studio_support import chromium

STATUS = {"sent": "#status[data-state=connected][data-pending='0']", "away": "#status[data-state=unreachable]"}


def asked(sample, method, path, value=None, **more):
    body = None if value is None else json.dumps(value).encode()
    headers = {"Authorization": "Bearer secret", "Content-Type": "application/json", **more}
    with urllib.request.urlopen(urllib.request.Request(sample.base + path, body, headers, method=method)) as answer:
        return json.loads(answer.read())


def refused(sample, method, path, value=None):
    """The status of a request that is not done."""
    try:
        asked(sample, method, path, value)
    except urllib.error.HTTPError as error:
        return error.code


def run(sample, screenshots):
    for note, start, end in (("the new page", "2026-11-23T08:30:00Z", "2026-11-23T11:45:00Z"),
                             ("chapter 3", "2026-11-24T09:00:00Z", "2026-11-24T12:30:00Z"),
                             ("mail", "2026-11-24T12:33:00Z", "2026-11-24T13:00:00Z")):
        asked(sample, "POST", "/zones", {"project": 1, "started": start, "ended": end, "note": note})
    sample.start_gateway("--watch")
    page = sample.open(color_scheme="light")
    # Under a clock of its own, the page no longer says which files it has loaded.
    sample.is_kept(page)
    # Wednesday of the week.
    page.clock.set_fixed_time("2026-11-25T10:00:00Z")
    page.reload()
    expect(page.locator("#week")).to_have_text("2026-W48")
    expect(page.locator("#total")).to_have_text("7 h 12")
    expect(page.locator("#longest")).to_have_text("4 h 00")
    expect(page.locator("#productive")).to_have_text("9 to 10 o’clock")
    expect(page.locator("#chart rect")).to_have_count(3)
    expect(page.locator(STATUS["sent"])).to_be_attached()
    sample.is_accessible(page)
    if screenshots:
        page.screenshot(path=os.path.join(screenshots, "zone-light.png"))
    print("ok    a week is a chart")

    # The report is there with the week's first zone, once the copy has pulled it.
    with page.expect_download() as download:
        page.get_by_role("link", name="Report as PDF").click()
    with open(download.value.path(), "rb") as file:
        content = file.read()
    assert content.startswith(b"%PDF-") and b"chapter 3" in content
    print("ok    the report of the week comes through the gateway")

    sample.kill("service")
    sample.kill("gateway")
    page.clock.set_fixed_time("2026-11-25T13:00:00Z")
    page.get_by_label("Project").select_option(label="Thesis")
    page.get_by_label("Note").fill("on the train")
    page.get_by_role("button", name="In the zone").click()
    expect(page.locator("#running")).to_contain_text("Thesis, on the train")
    page.reload()
    expect(page.locator("#running")).to_contain_text("Thesis, on the train")
    page.clock.set_fixed_time("2026-11-25T14:30:00Z")
    page.get_by_role("button", name="Out").click()
    expect(page.locator("#running")).to_be_hidden()
    expect(page.locator("#total")).to_have_text("8 h 42")
    expect(page.locator(STATUS["away"])).to_be_attached()
    print("ok    in and out without gateway and service, over a reload")

    sample.start_service()
    sample.start_gateway("--watch")
    expect(page.locator(STATUS["sent"])).to_be_attached()
    other = sample.open(color_scheme="dark")
    other.clock.set_fixed_time("2026-11-25T15:00:00Z")
    other.reload()
    expect(other.locator("#total")).to_have_text("8 h 42")
    sample.is_accessible(other)
    if screenshots:
        other.screenshot(path=os.path.join(screenshots, "zone-dark.png"))
    other.get_by_role("button", name="In the zone").click()
    expect(page.locator("#running")).to_contain_text("In the zone since 15:00")
    sample.is_sent(page)
    items = asked(sample, "GET", "/zones")["items"]
    train = [each for each in items if each.get("note") == "on the train"]
    assert len(train) == 1 and train[0]["started"][:16] == "2026-11-25T13:00" and train[0]["ended"][:16] == "2026-11-25T14:30", train
    assert len(items) == 5, items
    print("ok    each was sent once, and another page shows it")

    page.evaluate("""async () => (await fetch("/v1/objects/zones", {
        method: "POST", headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ project: 1, started: "2026-11-25T07:00:00Z", ended: "2026-11-25T07:30:00Z", note: "so long ".repeat(800) }),
    })).status""")
    line = page.locator("#decide > li")
    expect(line).to_contain_text("was refused: note: must be a text of 500 characters at most")
    expect(page.locator("#status")).to_have_text("in step with the gateway · 1 to decide")
    sample.is_accessible(page)
    if screenshots:
        page.screenshot(path=os.path.join(screenshots, "zone-decide.png"))
    page.get_by_role("button", name="Drop it").click()
    expect(page.locator("#decide")).to_be_hidden()
    expect(page.locator("#status")).to_have_text("in step with the gateway")
    print("ok    what the service refuses is told, and dropped")

    zone = {"project": 1, "started": "2026-11-30T08:00:00Z", "ended": "2026-11-30T09:00:00Z"}
    assert [refused(sample, "DELETE", "/zones/2026-W48"), refused(sample, "PATCH", "/zones/2026-W48", {})] == [404, 404]
    assert refused(sample, "POST", "/invoices", {"project": 10**30, "month": "2026-11"}) == 422
    assert refused(sample, "POST", "/zones", {**zone, "note": "x" * 501}) == 422
    asked(sample, "POST", "/zones", {**zone, "note": "W" * 500}, **{"Idempotency-Key": "one"})
    invoice = asked(sample, "POST", "/invoices", {"project": 1, "month": "2026-11"}, **{"Idempotency-Key": "one"})
    assert invoice["number"] == "2026-11/1", invoice
    request = urllib.request.Request(sample.base + "/reports/2026-W49/pdf", headers={"Authorization": "Bearer secret"})
    with urllib.request.urlopen(request) as answer:
        assert answer.read().startswith(b"%PDF-")
    print("ok    the service answers what it does not take, and reports the longest note")

    sample.kill("service")
    page.evaluate("""() => fetch("/v1/sync", { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}", signal: AbortSignal.timeout(60_000) })""")
    expect(page.locator("#status")).to_contain_text("the service is not reached")
    print("ok    the page says that the service is not reached")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("atmos")
    parser.add_argument("python")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Samples/Zone/server/server.py")
        sample = Sample(options.atmos, browser, "Zone", "zone.yaml", [options.python, server, "service.db", "{port}"], ZONE_TOKEN="secret")
        try:
            run(sample, options.screenshots)
        finally:
            sample.end()
            browser.close()
    sys.exit(0)
