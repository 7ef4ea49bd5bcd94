"""The page of the sample RPic in Chromium: rpic_test.py ATMOS PYTHON [--screenshots FOLDER]

PYTHON has what `Samples/RPic/server/requirements.txt` names. Prints a line for each test; the exit code is 0 where all passed.
"""
import argparse
import base64
import json
import os
import subprocess
import sys
import urllib.request

from playwright.sync_api import expect, sync_playwright

from sample_support import Sample
from studio_support import chromium

# A JPEG of a sky and a ground, in colours of its own.
PAINT = """([sky, ground]) => {
    const canvas = document.createElement("canvas"), context = canvas.getContext("2d");
    [canvas.width, canvas.height] = [320, 240];
    const fade = context.createLinearGradient(0, 0, 0, 160);
    fade.addColorStop(0, sky);
    fade.addColorStop(1, "#fff");
    context.fillStyle = fade;
    context.fillRect(0, 0, 320, 240);
    context.fillStyle = ground;
    context.beginPath();
    context.moveTo(0, 200);
    context.quadraticCurveTo(120, 60, 200, 170);
    context.quadraticCurveTo(260, 110, 320, 180);
    context.lineTo(320, 240);
    context.lineTo(0, 240);
    context.fill();
    return canvas.toDataURL("image/jpeg").split(",")[1];
}"""


def asked(sample, method, path, body=None, user="ben", kind="application/json"):
    headers = {"Authorization": "Basic " + base64.b64encode(f"{user}:pass-of-{user}".encode()).decode(), "Content-Type": kind}
    with urllib.request.urlopen(urllib.request.Request(sample.base + path, body, headers, method=method)) as answer:
        return json.loads(answer.read() or "null")


def put(sample, title, taken, place, content, user="ben"):
    """As another client does: what is told of a picture, then the picture."""
    members = dict(zip(("latitude", "latitude_ref", "longitude", "longitude_ref"), place.split()))
    row = asked(sample, "POST", "/pictures/", json.dumps({"title": title, "taken": taken, **members}).encode(), user)
    form = (f'--x\r\nContent-Disposition: form-data; name="picture_file"; filename="{user}_{row["uuid"]}.jpg"\r\n'
            "Content-Type: image/jpeg\r\n\r\n").encode() + content + b"\r\n--x--\r\n"
    asked(sample, "PUT", f"/pictures/{row['id']}/picture/", form, user, "multipart/form-data; boundary=x")


def run(sample, screenshots, painter):
    painted = {name: base64.b64decode(painter.evaluate(PAINT, colours)) for name, colours in {
        "harbour": ["#3a7ca5", "#2b3a42"], "hill": ["#f2a65a", "#4a5d23"], "beach": ["#7bc4c4", "#d9b48f"], "lake": ["#b56576", "#355070"]}.items()}
    put(sample, "Harbour", "2026-11-23T08:30:00Z", "22.8957 S 43.1802 W", painted["harbour"])
    put(sample, "Hill", "2026-11-24T16:00:00Z", "22.9519 S 43.2105 W", painted["hill"])
    signed_in = subprocess.run([sample.atmos, "login", "--stdin", "-c", "rpic.yaml"], input="anna\npass-of-anna\n", text=True, cwd=sample.folder,
                               env=sample.environment, capture_output=True)
    assert signed_in.returncode == 0, signed_in.stderr
    sample.start_gateway("--watch")
    page = sample.open(color_scheme="light", viewport={"width": 1000, "height": 1000})
    titles = page.locator("#pictures input")
    expect(titles).to_have_count(2)
    assert [each.input_value() for each in titles.all()] == ["Hill", "Harbour"]
    expect(page.locator("#map")).to_be_hidden()
    loaded = "() => [...document.querySelectorAll('#pictures img')].every(image => image.complete && image.naturalWidth === 320)"
    page.wait_for_function(loaded)
    print("ok    pictures of others are there, the newest first, by a download in two steps")

    sample.kill("service")
    page.get_by_label("Picture", exact=True).set_input_files([{"name": "a.jpg", "mimeType": "image/jpeg", "buffer": painted["beach"]}])
    page.get_by_role("textbox", name="Title").first.fill("Beach")
    page.get_by_label("Place").fill("22.9868S,43.1900W")
    page.get_by_role("button", name="Add").click()
    expect(titles).to_have_count(3)
    expect(titles.first).to_have_value("Beach")
    page.wait_for_function(loaded)
    expect(page.locator("#map a circle")).to_have_count(3)
    expect(page.locator("#people")).to_contain_text("ben: 2")
    print("ok    a picture is added while the server is away, and three make a map")

    # A title is written without the gateway, too.
    sample.kill("gateway")
    titles.first.fill("Ipanema")
    titles.first.press("Enter")
    expect(page.locator("#status[data-state=unreachable]")).to_be_attached()
    sample.start_service()
    sample.start_gateway("--watch")
    sample.is_sent(page)
    found = {each["title"]: each for each in asked(sample, "GET", "/pictures/")["results"]}
    assert sorted(found) == ["Harbour", "Hill", "Ipanema"] and found["Ipanema"]["user"] == "anna", found
    with urllib.request.urlopen(asked(sample, "GET", f"/pictures/{found['Ipanema']['id']}/picture/")["picture_file"]) as answer:
        assert answer.read() == painted["beach"]
    print("ok    it is sent once with its title, when the server is back")

    put(sample, "Lake", "2026-11-25T07:00:00Z", "22.9711 S 43.2182 W", painted["lake"], user="carla")
    page.get_by_role("button", name="Synchronize").click()
    expect(titles).to_have_count(4)
    expect(page.locator(".sign", has_text="✓")).to_have_count(4)
    page.wait_for_function(loaded)
    sample.is_accessible(page)
    if screenshots:
        page.screenshot(path=os.path.join(screenshots, "rpic-light.png"))
    page.get_by_role("button", name="Delete Harbour").click()
    expect(page.locator("#decide > li")).to_contain_text("“Harbour” was refused: You do not have permission")
    expect(titles).to_have_count(3)
    sample.is_accessible(page)
    if screenshots:
        page.screenshot(path=os.path.join(screenshots, "rpic-decide.png"))
    page.get_by_role("button", name="Drop it").click()
    expect(page.locator("#decide")).to_be_hidden()
    expect(titles).to_have_count(4)
    print("ok    what the server refuses is told, and taken back")

    # The answer of the create is lost, then the picture does not arrive; each time the form is sent again.
    lost = []
    page.route("**/v1/objects/pictures", lambda route: route.continue_() if lost or route.request.method != "POST"
               else (lost.append(route.fetch()), route.abort()))
    page.get_by_label("Picture", exact=True).set_input_files([{"name": "b.jpg", "mimeType": "image/jpeg", "buffer": painted["hill"]}])
    page.get_by_role("textbox", name="Title").first.fill("Twice")
    page.get_by_label("Place").fill("22.9S,43.2W")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    page.route("**/contents/picture?name=*", lambda route: route.abort())
    page.get_by_role("textbox", name="Title").first.fill("Once")
    page.get_by_label("Place").fill("")
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("alert").first).to_be_visible()
    page.unroute("**/contents/picture?name=*")
    page.get_by_role("button", name="Add").click()
    expect(page.get_by_role("textbox", name="Title").first).to_have_value("")
    expect(titles).to_have_count(5)
    sample.is_sent(page)
    page.wait_for_function(loaded)
    [once] = [each for each in asked(sample, "GET", "/pictures/")["results"] if each["user"] == "anna" and each["title"] != "Ipanema"]
    # The server's own place, for none was told.
    assert once["title"] == "Once" and once["latitude"] == "22.9618", once
    page.get_by_role("button", name="Delete Once").click()
    sample.is_sent(page)
    print("ok    a form that is sent again is the same picture")

    page.locator("#map a").first.click()
    expect(page.locator("#pictures li:target")).to_have_count(1)
    other = sample.open(color_scheme="dark", viewport={"width": 1000, "height": 1000})
    expect(other.locator("#map a circle")).to_have_count(4)
    other.wait_for_function(loaded)
    sample.is_accessible(other)
    if screenshots:
        other.screenshot(path=os.path.join(screenshots, "rpic-dark.png"))
    other.get_by_role("button", name="Delete Ipanema").click()
    expect(titles).to_have_count(3)
    sample.is_sent(other)
    assert sorted(each["title"] for each in asked(sample, "GET", "/pictures/")["results"]) == ["Harbour", "Hill", "Lake"]
    print("ok    a point of the map leads to its picture, and a delete shows on another page")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("atmos")
    parser.add_argument("python")
    parser.add_argument("--screenshots")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        server = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../Samples/RPic/server/server.py")
        sample = Sample(options.atmos, browser, "RPic", "rpic.yaml", [options.python, server, "service.db", "{port}"])
        try:
            run(sample, options.screenshots, browser.new_page())
        finally:
            sample.end()
            browser.close()
    sys.exit(0)
