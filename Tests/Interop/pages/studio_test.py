"""Studio in a headless Chromium, in front of a real gateway and an API that can be made to fail.

    studio_test.py ATMOS [--web FOLDER] [--screenshots FOLDER] [--rows N] [--only WORD]

Exit status 0 where every test passes, 1 where one fails. With --web the files of that folder are served by studio_support.py,
else by the gateway. Prints one line for each test, and what was measured.
"""

import argparse
import gzip
import os
import sys
import tempfile
import time
import traceback

import axe_playwright_python
from playwright.sync_api import expect, sync_playwright

import studio_support as support

TESTS = []
expect.set_options(timeout=20_000)


def test(function):
    TESTS.append(function)
    return function


class Stage:
    """An API, a gateway, and pages of Studio; what the pages complain of fails the test."""

    def __init__(self, options, browser, tasks=40, gateway_options=(), code=None):
        self.options, self.browser = options, browser
        self.folder = tempfile.TemporaryDirectory(prefix="studio-")
        self.api = support.Api(tasks)
        top = support.SIGN_IN.format(origin=self.api.base.removesuffix("/api")) if code else ""
        self.gateway = support.Gateway(options.atmos, os.path.join(self.folder.name, "copy"), self.api, top=top)
        self.api.code = code
        if not code:
            assert self.gateway.ask("POST", "/v1/pull", {})[1]["problems"] == []
        if gateway_options:
            self.gateway.end()
            self.gateway.options = gateway_options
            self.gateway.start()
        self.front = support.Front(options.web, self.gateway) if options.web else None
        self.origin = self.front.url if self.front else support.origin_of(self.gateway.link)
        self.contexts, self.complaints = [], []
        #: Requests that are meant to fail are told by the console as well.
        self.expects_failures = False

    def page(self, place="", width=1280, height=800, scheme="light", enters=True, **options):
        context = self.browser.new_context(
            viewport={"width": width, "height": height}, color_scheme=scheme, locale="en-GB", **options
        )
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: self.hear(message.type, f"{message.text} {message.location.get('url')}"))
        page.on("pageerror", lambda error: self.hear("error", f"{error}\n{error.stack}"))
        page.add_init_script(
            "addEventListener('securitypolicyviolation', (event) => "
            "console.error('CSP', event.violatedDirective, event.blockedURI))"
        )
        if enters:
            page.goto(f"{self.origin}/?token={self.gateway.token}")
        page.goto(f"{self.origin}/studio/{place}")
        return page

    def hear(self, kind, text):
        # The page that the link leads to is none of Studio.
        if text.endswith("/favicon.ico"):
            return
        if kind == "error" and not (self.expects_failures and "Failed to load resource" in text):
            self.complaints.append(text)

    def record(self, uri):
        return self.gateway.ask("GET", "/v1/objects/" + uri)[1]

    def end(self):
        try:
            for context in self.contexts:
                context.close()
        finally:
            if self.front:
                self.front.end()
            self.gateway.end()
            self.api.end()
            self.folder.cleanup()


def panel(page):
    return page.locator(".panel")


def field(scope, name):
    return scope.locator(f"[data-member='{name}']").locator("input, textarea, select").last


def row(page, text):
    return page.locator("[data-row]", has_text=text)


def shown_titles(page):
    return page.evaluate(
        "[...document.querySelectorAll('[data-row]')].sort((a, b) => a.dataset.row - b.dataset.row)"
        ".map((row) => row.children[2].textContent)"
    )


# Objects


@test
def creates_edits_and_deletes_an_object(stage):
    page = stage.page("#/objects/tasks?in=title&q=tomatoes")
    page.get_by_role("link", name="New").click()
    field(panel(page), "title").fill("Water the tomatoes")
    field(panel(page), "list").fill("3")
    field(panel(page), "done").select_option("false")
    panel(page).get_by_role("button", name="Create").click()
    expect(panel(page).locator(".state")).to_have_text("new")
    uri = next(item["uri"] for item in stage.gateway.ask("GET", "/v1/pending")[1]["items"])
    assert stage.record(uri)["title"] == "Water the tomatoes" and stage.record(uri)["list"] == 3

    field(panel(page), "title").fill("Water the tomatoes twice")
    expect(panel(page).locator(".panel-foot")).to_contain_text("Edited: title")
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    expect(row(page, "Water the tomatoes twice")).to_be_visible()
    page.get_by_role("button", name="Push").click()
    expect(panel(page).locator(".id")).to_have_text("41")
    assert "#/objects/tasks/41?" in page.url, "the page follows the identifier of the server"
    assert stage.api.records["tasks"][41]["title"] == "Water the tomatoes twice"

    panel(page).get_by_role("button", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(row(page, "Water the tomatoes twice")).to_have_count(0)
    page.get_by_role("button", name="Push").click()
    stage.gateway.wait("/v1/pending", lambda answer: answer["total"] == 0)
    assert 41 not in stage.api.records["tasks"]


@test
def keeps_types_null_and_numbers_as_they_are_written(stage):
    page = stage.page("#/objects/tasks/7")
    field(panel(page), "tags").fill('["kitchen", ')
    expect(panel(page).locator("[data-member=tags] .field-message")).to_contain_text("no JSON yet")
    panel(page).get_by_role("button", name="Save").click()
    expect(field(panel(page), "tags")).to_be_focused()
    assert stage.record("tasks/7")["tags"] == ["errand", "soon"]
    field(panel(page), "tags").fill('{"weight": 12345678901234567890.10}')
    field(panel(page), "rank").fill("17")
    panel(page).get_by_role("button", name="due: null").click()
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    bare = support.http.client.HTTPConnection("127.0.0.1", stage.gateway.port)
    bare.request("GET", "/v1/objects/tasks/7", headers={"Authorization": f"Bearer {stage.gateway.token}"})
    text = bare.getresponse().read().decode()
    assert "12345678901234567890.10" in text, text
    record = stage.record("tasks/7")
    assert record["rank"] == 17 and record["due"] is None and record["price"] == "3.59"


@test
def members_may_be_called_as_what_objects_have_in_javascript(stage):
    names = ("__proto__", "constructor", "toString", "hasOwnProperty")
    stage.api.edit("tasks", 7, **{name: f"{name} there" for name in names})
    stage.gateway.ask("POST", "/v1/pull", {})
    page = stage.page("#/objects/tasks/7")
    for name in names:
        expect(field(panel(page), name)).to_have_value(f"{name} there")
        expect(panel(page).locator(f"[data-member={name}] .type")).to_have_text("text")
        field(panel(page), name).fill(f"{name} here")
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    assert [stage.record("tasks/7")[name] for name in names] == [f"{name} here" for name in names]
    assert "function" not in page.locator(".objects").inner_text()
    # Objects without them have them not.
    page.goto(f"{stage.origin}/studio/#/objects/tasks/8")
    expect(panel(page).locator(".id")).to_have_text("8")
    for name in names:
        expect(field(panel(page), name)).to_have_value("")
        expect(field(panel(page), name)).to_have_attribute("placeholder", "not set")
    page.goto(f"{stage.origin}/studio/#/objects/tasks?new=1")
    expect(field(panel(page), "constructor")).to_have_attribute("placeholder", "not set")
    page.goto(f"{stage.origin}/studio/#/constructor")
    expect(page.get_by_role("heading", name="Nothing here")).to_be_visible()
    # Nor do conflicts mix them up.
    changed_there(stage, 7, **{name: f"{name} again" for name in names})
    page.goto(f"{stage.origin}/studio/#/conflicts")
    card = page.locator("[data-uri='tasks/7']")
    choose(card, "__proto__", "own")
    field(card, "__proto__").fill("my words")
    for name in names[1:]:
        assert card.locator(f"[data-member={name}] .type").count() == 0
        choose(card, name, "mine")
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card).to_have_count(0)
    assert stage.record("tasks/7")["__proto__"] == "my words"


@test
def shows_what_waits_the_exact_requests_and_the_history(stage):
    stage.gateway.ask("PATCH", "/v1/objects/tasks/12", {"title": "Repair the gate with Jonas"})
    page = stage.page("#/objects/tasks/12?tab=waiting")
    expect(panel(page).locator(".request")).to_contain_text(f"{stage.api.base}/tasks/12/")
    expect(panel(page).locator(".changes").first).to_contain_text("Repair the gate with Jonas")
    page.get_by_role("tab", name="History").click()
    expect(panel(page).locator(".history")).to_contain_text("edited")
    page.get_by_role("link", name="Waiting").click()
    expect(page.locator(".request .method")).to_have_text("PATCH")
    page.get_by_role("link", name="Log").click()
    expect(page.locator(".log")).to_contain_text("tasks/12")


@test
def calls_actions_with_their_arguments(stage):
    page = stage.page("#/objects/tasks/4")
    panel(page).get_by_role("button", name="remind").click()
    page.get_by_label("text").fill("tomorrow")
    page.get_by_role("button", name="Call").click()
    expect(panel(page).locator(".answer")).to_contain_text('"reminded": "tomorrow"')


@test
def attaches_a_file_shows_the_picture_and_drops_it(stage):
    page = stage.page("#/objects/tasks/6")
    file = {"name": "gate.png", "mimeType": "image/png", "buffer": support.picture(60, 140, 90)}
    panel(page).locator("input[type=file]").set_input_files(file)
    expect(panel(page).locator("img.preview")).to_be_visible()
    expect(panel(page).locator(".upload")).to_contain_text("gate.png")
    panel(page).get_by_role("button", name="Drop gate.png").click()
    expect(panel(page).locator(".upload")).to_have_count(0)
    panel(page).locator("input[type=file]").set_input_files(file)
    expect(panel(page).locator(".upload")).to_contain_text("gate.png")
    page.get_by_role("button", name="Push").click()
    expect(panel(page).locator(".upload")).to_have_count(0)
    assert stage.api.photos[6] == file["buffer"]
    panel(page).get_by_role("button", name="Show", exact=True).click()
    expect(panel(page).locator("img.preview")).to_be_visible()
    with page.expect_download() as download:
        panel(page).get_by_role("link", name="Download").click()
    with open(download.value.path(), "rb") as content:
        assert content.read() == file["buffer"]


@test
def the_focus_stays_where_a_file_is_attached_and_dropped(stage):
    page = stage.page("#/objects/tasks/6")
    file = {"name": "gate.png", "mimeType": "image/png", "buffer": support.picture(60, 140, 90)}
    attach = panel(page).locator("input[type=file]")
    attach.focus()
    attach.set_input_files(file)
    expect(panel(page).locator(".upload")).to_contain_text("gate.png")
    expect(attach).to_be_focused()
    panel(page).get_by_role("button", name="Drop gate.png").focus()
    page.keyboard.press("Enter")
    expect(panel(page).locator(".upload")).to_have_count(0)
    expect(attach).to_be_focused()


# Tables


@test
def sorts_by_the_headings_and_keeps_it_in_the_address(stage):
    page = stage.page("#/objects/tasks")
    heading = page.get_by_role("columnheader", name="title")
    heading.click()
    expect(heading).to_have_attribute("aria-sort", "ascending")
    titles = sorted((record["title"] for record in stage.api.records["tasks"].values()))
    expect(page.locator("[data-row='0']")).to_contain_text(titles[0])
    assert shown_titles(page)[:10] == titles[:10]
    heading.click()
    expect(heading).to_have_attribute("aria-sort", "descending")
    expect(page.locator("[data-row='0']")).to_contain_text(titles[-1])
    page.reload()
    expect(page.get_by_role("columnheader", name="title")).to_have_attribute("aria-sort", "descending")
    expect(page.locator("[data-row='0']")).to_contain_text(titles[-1])


@test
def says_that_states_have_no_order(stage):
    page = stage.page("#/objects/tasks")
    expect(page.locator("[data-row='5']")).to_be_visible()
    heading = page.get_by_role("columnheader", name="state")
    assert heading.get_attribute("aria-sort") is None
    heading.click()
    expect(page.locator(".said")).to_contain_text("not sorted by state; Waiting lists what is not in step")
    assert "sort" not in page.url


@test
def a_search_finds_capitals_and_small_letters(stage):
    page = stage.page("#/objects/tasks")
    page.get_by_label("Search", exact=True).fill("OAT MILK")
    expect(page.locator(".total")).not_to_have_text("0 found")
    expect(page.locator("[data-row='0']")).to_contain_text("oat milk")
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_label("Comparison").select_option("contains as written")
    page.get_by_label("Value", exact=True).fill("OAT MILK")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".total")).to_have_text("0 found")


@test
def words_that_go_away_lie_over_nothing(stage):
    for width in (1280, 900, 360):
        page = stage.page("#/objects/tasks/2", width=width)
        for text in ("one", "other"):
            field(panel(page), "title").fill(f"{text} {width}")
            panel(page).get_by_role("button", name="Save").click()
            expect(page.locator(".said p")).to_have_text("Saved here; the next push sends it.")
        field(panel(page), "title").fill("a third one")
        expect(panel(page).get_by_role("button", name="Save")).to_be_visible()
        covered = page.evaluate("""(() => {
          const within = document.querySelector('.said p');
          const said = within.getBoundingClientRect();
          return [...document.querySelectorAll('button, a, input, select, textarea, h1, h2, .net-words')].filter((each) => {
            if (!each.checkVisibility({visibilityProperty: true}) || each.contains(within)) return false;
            const box = each.getBoundingClientRect();
            return box.width > 1 && box.left < said.right && box.right > said.left && box.top < said.bottom
              && box.bottom > said.top;
          }).map((each) => each.outerHTML.slice(0, 120));
        })()""")
        assert not covered, (width, covered)
        if stage.options.screenshots:
            page.screenshot(path=os.path.join(stage.options.screenshots, f"said-{width}.png"))


@test
def words_that_go_away_move_nothing(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"))
    stage.gateway.ask("PATCH", "/v1/objects/tasks/12", {"done": False})
    for width in (1280, 1000, 800, 360):
        page = stage.page("#/objects/tasks", width=width)
        expect(page.locator("[data-row='5']")).to_be_visible()
        expect(page.locator(".net-words")).to_have_text("1 to decide, 1 to send")
        height = "document.querySelector('.bar').getBoundingClientRect().height"
        before = page.evaluate(height)
        for _ in range(2):
            page.get_by_role("button", name="Pull").click()
            expect(page.locator(".said p")).to_be_visible()
            assert page.evaluate(height) == before, width
            assert page.evaluate("document.querySelector('.said p').getBoundingClientRect().width") > 100, width
        page.evaluate("document.querySelector('.said p').append(' many more words'.repeat(20))")
        assert page.evaluate(height) == before, width


@test
def filters_by_members_and_goes_back(stage):
    page = stage.page("#/objects/tasks")
    expect(page.locator(".total")).to_have_text("40")
    page.get_by_role("button", name="Filter", exact=True).click()
    page.get_by_label("Member", exact=True).select_option("done")
    page.get_by_label("Value").fill("true")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".total")).to_have_text("13 found")
    page.go_back()
    expect(page.locator(".total")).to_have_text("40")
    page.go_forward()
    page.get_by_role("button", name="Remove the filter done=true").click()
    expect(page.locator(".total")).to_have_text("40")


@test
def a_search_of_numbers_leads_to_a_filter(stage):
    page = stage.page("#/objects/tasks?in=rank&q=838")
    expect(page.locator(".total")).to_have_text("0 found")
    expect(page.locator(".hint")).to_contain_text("A search looks into texts, and rank holds numbers.")
    page.get_by_role("link", name="Filter for rank = 838").click()
    expect(page.locator(".total")).to_have_text("1 found")
    expect(page.locator(".hint")).to_be_hidden()


@test
def a_filter_that_cannot_be_used_is_said_to_be_one(stage):
    stage.expects_failures = True
    page = stage.page("#/objects/tasks?where=rank%3Dabc")
    expect(page.locator(".problem")).to_contain_text("This search or filter cannot be used")
    expect(page.locator(".problem")).to_contain_text("declares “rank” as an integer")
    assert page.get_by_role("button", name="Try again").count() == 0
    page.get_by_role("button", name="Remove the filter rank=abc").click()
    expect(page.locator(".total")).to_have_text("40")
    expect(page.locator(".problem")).to_have_count(0)


@test
def a_search_without_a_result_shows_what_comes(stage):
    page = stage.page("#/objects/tasks?in=title&q=comet")
    expect(page.locator(".total")).to_have_text("0 found")
    stage.gateway.ask("POST", "/v1/objects/tasks", {"title": "Look for the comet", "list": 1})
    expect(row(page, "Look for the comet")).to_be_visible()


@test
def two_pages_show_each_others_edits(stage):
    one, other = stage.page("#/objects/tasks/2"), stage.page("#/objects/tasks/2")
    field(panel(one), "title").fill("Repair the kettle")
    panel(one).get_by_role("button", name="Save").click()
    expect(row(other, "Repair the kettle")).to_be_visible()
    expect(field(panel(other), "title")).to_have_value("Repair the kettle")
    field(panel(one), "rank").fill("5")
    field(panel(other), "title").fill("Repair the kettle today")
    panel(other).get_by_role("button", name="Save").click()
    expect(field(panel(one), "title")).to_have_value("Repair the kettle today")
    expect(field(panel(one), "rank")).to_have_value("5")
    panel(one).get_by_role("button", name="Save").click()
    expect(field(panel(other), "rank")).to_have_value("5")
    assert stage.record("tasks/2")["title"] == "Repair the kettle today" and stage.record("tasks/2")["rank"] == 5


@test
def shows_what_changed_before_it_was_listening(stage):
    page, waiting = stage.page("#/log"), []
    page.goto("about:blank")
    page.route("**/v1/events*", lambda route: waiting.append(route))
    page.goto(f"{stage.origin}/studio/#/objects/tasks/2")
    expect(field(panel(page), "title")).to_have_value("Repair oat milk for the office")
    stage.gateway.ask("PATCH", "/v1/objects/tasks/2", {"title": "Repair the kettle"})
    assert len(waiting) == 1
    waiting[0].continue_()
    expect(row(page, "Repair the kettle")).to_be_visible()
    expect(field(panel(page), "title")).to_have_value("Repair the kettle")


@test
def an_edit_stays_while_another_changes_the_same_member(stage):
    page = stage.page("#/objects/tasks/2")
    field(panel(page), "title").fill("Mine")
    stage.gateway.ask("PATCH", "/v1/objects/tasks/2", {"title": "Somebody's"})
    expect(panel(page).locator("[data-member=title] .field-note")).to_have_text(
        "It is now “Somebody's” here; your edit is kept until you save or drop it."
    )
    expect(field(panel(page), "title")).to_have_value("Mine")
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    assert stage.record("tasks/2")["title"] == "Mine"


@test
def what_is_written_while_an_edit_is_saved_stays(stage):
    page, waiting = stage.page("#/objects/tasks/2"), []
    field(panel(page), "title").fill("First words")
    field(panel(page), "rank").fill("5")

    def holds(route):
        if route.request.method == "PATCH":
            waiting.append(route)
        else:
            route.continue_()

    page.route("**/v1/objects/tasks/2", holds)
    with page.expect_request(lambda request: request.method == "PATCH"):
        panel(page).get_by_role("button", name="Save").click()
    field(panel(page), "title").fill("Second words")
    waiting.pop().continue_()
    page.unroute("**/v1/objects/tasks/2", holds)
    expect(panel(page).locator(".panel-foot")).to_contain_text("Edited: title")
    expect(field(panel(page), "title")).to_have_value("Second words")
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    assert stage.record("tasks/2")["title"] == "Second words" and stage.record("tasks/2")["rank"] == 5


@test
def an_edit_stays_while_another_deletes_the_object(stage):
    page = stage.page("#/objects/tasks/2")
    field(panel(page), "title").fill("Half written")
    stage.gateway.ask("DELETE", "/v1/objects/tasks/2")
    expect(panel(page).locator(".notice")).to_contain_text("Deleted here")
    expect(field(panel(page), "title")).to_have_value("Half written")


@test
def a_page_that_nobody_sees_rests_and_catches_up(stage):
    page = stage.page("#/log")
    page.clock.install()
    page.goto("about:blank")
    page.goto(f"{stage.origin}/studio/#/objects/tasks")
    expect(page.locator("[data-row='3']")).to_be_visible()
    see = (
        "(hidden) => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true}); "
        "document.dispatchEvent(new Event('visibilitychange')); }"
    )
    page.evaluate(see, True)
    page.clock.fast_forward(40_000)
    stage.gateway.ask("PATCH", "/v1/objects/tasks/2", {"title": "Edited while nobody looked"})
    stage.gateway.wait("/v1/pending", lambda answer: answer["total"] == 1)
    assert row(page, "Edited while nobody looked").count() == 0
    page.evaluate(see, False)
    expect(row(page, "Edited while nobody looked")).to_be_visible()


@test
def many_pages_of_a_browser_share_one_connection(stage):
    pages = [stage.page("#/objects/tasks")]
    for _ in range(8):
        pages.append(pages[0].context.new_page())
        pages[-1].goto(f"{stage.origin}/studio/#/objects/tasks")
        expect(pages[-1].locator("[data-row='3']")).to_be_visible()
    stage.gateway.ask("PATCH", "/v1/objects/tasks/2", {"title": "Edited for all"})
    for page in pages:
        expect(row(page, "Edited for all")).to_be_visible()
    # Whichever listens, another goes on where it is closed.
    while len(pages) > 1:
        pages.pop(0).close()
        title = f"Edited for {len(pages)}"
        stage.gateway.ask("PATCH", "/v1/objects/tasks/2", {"title": title})
        expect(row(pages[-1], title)).to_be_visible()


@test
def a_page_that_was_never_seen_takes_no_connection(stage):
    page, listening = stage.page("#/log"), []
    page.goto("about:blank")
    page.on("request", lambda request: "/v1/events" in request.url and listening.append(request.url))
    page.add_init_script("Object.defineProperty(document, 'hidden', {value: true, configurable: true})")
    page.goto(f"{stage.origin}/studio/#/objects/tasks")
    expect(page.locator("[data-row='3']")).to_be_visible()
    stage.gateway.ask("PATCH", "/v1/objects/tasks/2", {"title": "Edited while nobody looked"})
    assert not listening and row(page, "Edited while nobody looked").count() == 0
    page.evaluate(
        "Object.defineProperty(document, 'hidden', {value: false, configurable: true});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    expect(row(page, "Edited while nobody looked")).to_be_visible()
    stage.gateway.ask("PATCH", "/v1/objects/tasks/2", {"title": "Edited while somebody looks"})
    expect(row(page, "Edited while somebody looks")).to_be_visible()


@test
def every_page_of_a_browser_says_that_the_gateway_is_away(stage):
    stage.expects_failures = True
    pages = [stage.page("#/objects/tasks")]
    pages.append(pages[0].context.new_page())
    pages[1].goto(f"{stage.origin}/studio/#/objects/tasks")
    expect(pages[1].locator("[data-row='3']")).to_be_visible()
    stage.gateway.end()
    for page in pages:
        expect(page.locator(".net-words")).to_contain_text("does not answer")
    stage.gateway.start()
    for page in pages:
        expect(page.locator(".net-words")).to_have_text("In step")
    stage.gateway.renew()
    for page in pages:
        expect(page.get_by_role("dialog", name="Open the link again")).to_be_visible()


@test
def asks_before_what_is_written_is_lost(stage):
    page = stage.page("#/objects/tasks/2")
    field(panel(page), "title").fill("Half written")
    row(page, "Plan oat milk").click()
    page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    expect(field(panel(page), "title")).to_have_value("Half written")
    assert page.url.endswith("#/objects/tasks/2")
    # However often a person goes back, the question is asked once.
    for place in ("#/log", "#/settings"):
        page.evaluate("(place) => { location.hash = place; }", place)
    page.wait_for_function("location.hash === '#/objects/tasks/2'")
    assert page.get_by_role("dialog").count() == 1
    page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    page.get_by_role("link", name="Conflicts").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Conflicts")).to_be_visible()
    assert stage.record("tasks/2")["title"] != "Half written"


@test
def asks_before_what_is_written_in_a_decision_is_lost(stage):
    support.refusal(stage.gateway, 5, title="")
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"))
    page = stage.page("#/rejected")
    field(page.locator("[data-uri='tasks/5']"), "title").fill("Half written")
    page.get_by_role("link", name="Conflicts").click()
    page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    expect(field(page.locator("[data-uri='tasks/5']"), "title")).to_have_value("Half written")
    page.get_by_role("link", name="Conflicts").click()
    page.get_by_role("dialog").get_by_role("button", name="Leave").click()
    card = page.locator("[data-uri='tasks/3']")
    choose(card, "title", "own")
    page.get_by_role("link", name="Refusals").click()
    page.get_by_role("link", name="Conflicts").click()
    choose(card, "title", "own")
    field(card, "title").fill("Half decided")
    page.get_by_role("link", name="Log").click()
    page.get_by_role("dialog").get_by_role("button", name="Stay").click()
    expect(field(card, "title")).to_have_value("Half decided")
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card).to_have_count(0)
    page.get_by_role("link", name="Log").click()
    expect(page.get_by_role("heading", name="Log")).to_be_visible()


@test
def asks_before_a_decision_for_the_whole_drops_what_is_written(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"), rank=(1, 2))
    page = stage.page("#/conflicts")
    card, dialog = page.locator("[data-uri='tasks/3']"), page.get_by_role("dialog", name="Decide without what you have written?")
    choose(card, "rank", "own")
    field(card, "rank").fill("77")
    choose(card, "title", "own")
    field(card, "title").fill("Half decided")
    for name in ("All mine", "All theirs", "Both texts, line by line"):
        card.get_by_role("button", name=name).click()
        expect(dialog).to_contain_text("title is not saved" if name.startswith("Both") else "title, rank is not saved")
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(card.get_by_role("button", name=name)).to_be_focused()
        expect(field(card, "title")).to_have_value("Half decided")
    assert len(stage.gateway.ask("GET", "/v1/conflicts")[1]["items"]) == 1
    # What is written is there, too, while another side is chosen.
    choose(card, "title", "mine")
    choose(card, "rank", "theirs")
    card.get_by_role("button", name="All theirs").click()
    expect(dialog).to_contain_text("title, rank is not saved")
    dialog.get_by_role("button", name="Decide").click()
    expect(card).to_have_count(0)
    assert stage.record("tasks/3")["title"] == "Theirs"


@test
def a_key_that_is_held_decides_once(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"))
    page = stage.page("#/conflicts")
    card, decisions = page.locator("[data-uri='tasks/3']"), []
    page.on("request", lambda request: request.url.endswith("/tasks/3/state") and decisions.append(request.url))
    choose(card, "title", "theirs")
    page.keyboard.down("Control")
    for _ in range(5):
        page.keyboard.down("Enter")
    page.keyboard.up("Enter")
    page.keyboard.up("Control")
    expect(card).to_have_count(0)
    assert len(decisions) == 1, decisions


# The network


@test
def works_offline_and_comes_back(stage):
    page = stage.page("#/objects/tasks/3")
    page.get_by_role("switch", name="Offline").click()
    expect(page.locator(".net-words")).to_contain_text("Offline")
    field(panel(page), "title").fill("Edited without a network")
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).locator(".state")).to_have_text("edited")
    page.reload()
    expect(page.get_by_role("switch", name="Offline")).to_have_attribute("aria-checked", "true")
    page.get_by_role("button", name="Push").click()
    expect(page.locator(".report")).to_be_visible()
    assert stage.api.records["tasks"][3]["title"] != "Edited without a network"
    page.get_by_role("switch", name="Offline").click()
    expect(page.get_by_role("switch", name="Offline")).to_have_attribute("aria-checked", "false")
    page.get_by_role("button", name="Sync").click()
    expect(panel(page).locator(".state")).to_have_count(0)
    assert stage.api.records["tasks"][3]["title"] == "Edited without a network"


@test
def shows_what_went_wrong_in_a_pull_in_full(stage):
    stage.api.busy = True
    page = stage.page("#/objects/tasks")
    page.get_by_role("button", name="Pull").click()
    expect(page.locator(".report")).to_contain_text("The server is being repaired; try again later.")
    page.get_by_role("button", name="Close the report").click()
    expect(page.locator(".report")).to_have_count(0)


@test
def shows_how_far_a_pull_has_come(stage):
    page = stage.page("#/objects/tasks")
    stage.api.lists.clear()
    page.get_by_role("button", name="Pull").click()
    expect(page.get_by_role("progressbar").first).to_be_visible()
    expect(page.locator(".net-words")).to_have_text("Working…")
    expect(page.get_by_role("button", name="Pull")).to_be_disabled()
    stage.api.lists.set()
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.locator(".net-words")).to_have_text("In step")


@test
def says_that_the_server_asks_to_wait(stage):
    page = stage.page("#/objects/tasks")
    stage.api.rest = 600
    page.get_by_role("button", name="Pull").click()
    expect(page.locator(".net-words")).to_contain_text("The server asks to wait until")


@test
def says_how_the_live_updates_stand(stage):
    def live(route):
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "live": stage.live})

    page = stage.page("#/log")
    page.route("**/v1/status", live)
    for state, words in (("connected", "Live"), ("disconnected", "No live updates")):
        stage.live = {"state": state, "reason": "wss://example.com: refused"}
        page.reload()
        expect(page.locator(".live")).to_have_text(words)
    expect(page.locator(".live")).to_have_attribute("title", "wss://example.com: refused")


@test
def shows_every_setting_with_its_origin(stage):
    page = stage.page("#/settings")
    base = page.locator(".settings tr", has=page.get_by_text("base", exact=True))
    expect(base).to_contain_text(stage.api.base)
    expect(base.locator(".origin")).to_have_text("atmosphere.yaml:4:7")
    page.get_by_role("link", name="tasks", exact=True).click()
    expect(page.locator(".settings")).to_contain_text("lookup.field")
    page.get_by_label("Search").fill("lookup")
    expect(page.locator(".settings tbody tr").first).to_contain_text("lookup")
    page.get_by_role("link", name="for all").click()
    expect(base).to_be_visible()


@test
def shows_what_a_check_of_the_server_found(stage):
    page = stage.page("#/settings")
    page.get_by_role("link", name="Is the server what it says?").click()
    stage.api.requests.clear()
    page.get_by_role("button", name="Check the server").click()
    expect(page.locator(".view-head .total")).to_have_text("Passed")
    tasks = page.locator("[data-entity='tasks']")
    expect(tasks).to_contain_text("40 objects on the first page, 40 in all")
    expect(tasks).to_contain_text("never twice: one whose answer is lost is looked up")
    expect(page.get_by_role("region", name="Promises")).to_contain_text("atmos check --write tries it")
    assert stage.api.requests and all(method == "GET" for method, _ in stage.api.requests), stage.api.requests
    # It stays while a person looks up something else.
    tasks.get_by_role("link", name="tasks").click()
    page.get_by_role("link", name="Check", exact=True).click()
    expect(page.locator("[data-entity='tasks']")).to_be_visible()
    # A server that is something else.
    del stage.api.records["notes"]
    page.get_by_role("button", name="Check the server").click()
    expect(page.locator(".view-head .total")).to_have_text("1 problem")
    expect(page.locator(".found > .problem")).to_contain_text("resources.notes.list: GET")
    expect(page.locator("[data-entity='notes'] .findings")).to_contain_text("404")
    # And none that is reached.
    stage.api.end()
    page.get_by_role("button", name="Check the server").click()
    expect(page.locator(".found > .problem")).to_contain_text("The server was not reached")


@test
def lets_many_objects_go_only_when_a_person_allows_it(stage):
    stage.api.records["tasks"] = {1: stage.api.records["tasks"][1]}
    page = stage.page("#/objects/tasks")
    page.get_by_role("button", name="Pull").click()
    expect(page.locator(".report")).to_contain_text("39 of 40 tasks are absent")
    page.get_by_role("button", name="Let 39 objects of tasks go").click()
    page.get_by_role("dialog").get_by_role("button", name="Let them go").click()
    expect(page.get_by_role("link", name="tasks 1", exact=True)).to_be_visible()
    expect(page.locator(".total")).to_have_text("1")


@test
def says_that_the_gateway_is_away_and_goes_on_when_it_is_back(stage):
    stage.expects_failures = True
    page = stage.page("#/objects/tasks")
    expect(page.locator("[data-row='3']")).to_be_visible()
    stage.gateway.end()
    expect(page.locator(".net-words")).to_contain_text("does not answer")
    stage.gateway.start()
    # A gateway of another run may want the link to be opened again.
    expect(
        page.locator(".net-words", has_text="In step").or_(page.get_by_role("heading", name="Open the link again"))
    ).to_be_visible()


@test
def a_browser_without_the_link_is_told_to_open_it(stage):
    if not stage.front:
        return
    stage.expects_failures = True
    page = stage.page(enters=False)
    expect(page.get_by_role("heading", name="Open the link again")).to_be_visible()


@test
def what_is_written_stays_when_the_gateway_has_a_new_token(stage):
    stage.expects_failures = True
    page = stage.page("#/objects/tasks/2")
    field(panel(page), "title").fill("Half written")
    stage.gateway.renew()
    dialog = page.get_by_role("dialog", name="Open the link again")
    expect(dialog).to_be_visible()
    dialog.get_by_role("button", name="Look at the page").click()
    expect(page.locator(".net-words")).to_have_text("Not let in: open the link again")
    panel(page).get_by_role("button", name="Save").click()
    dialog.get_by_role("button", name="Try again").click()
    expect(dialog).to_contain_text("does not know this browser yet")
    page.context.new_page().goto(f"{stage.origin}/?token={stage.gateway.token}")
    dialog.get_by_role("button", name="Try again").click()
    expect(dialog).to_be_hidden()
    expect(field(panel(page), "title")).to_have_value("Half written")
    panel(page).get_by_role("button", name="Save").click()
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    expect(page.locator(".net-words")).to_have_text("1 object to send")
    assert stage.record("tasks/2")["title"] == "Half written"


@test
def the_gateways_own_files_come_compressed(stage):
    def get(path, **headers):
        connection = support.http.client.HTTPConnection("127.0.0.1", stage.gateway.port)
        connection.request("GET", path, headers={"Authorization": f"Bearer {stage.gateway.token}", **headers})
        answer = connection.getresponse()
        return answer, answer.read()

    for path in ("/atmosphere.js", "/studio/", "/studio/studio.css", "/studio/main.js"):
        _, plain = get(path)
        answer, content = get(path, **{"Accept-Encoding": "gzip, deflate, br"})
        assert answer.getheader("Content-Encoding") == "gzip", (path, answer.getheaders())
        assert gzip.decompress(content) == plain and len(content) < len(plain) * 0.6, path
        again, nothing = get(path, **{"Accept-Encoding": "gzip", "If-None-Match": answer.getheader("ETag")})
        assert again.status == 304 and not nothing
    assert len(get("/atmosphere.js", **{"Accept-Encoding": "gzip"})[1]) <= 12_000


@test
def offers_nothing_that_writes_where_the_gateway_is_read_only(stage):
    page = stage.page("#/objects/tasks/3")
    expect(panel(page).locator("[data-member=title]")).to_contain_text("oat milk")
    assert page.locator("main").get_by_role("button", name="Delete").count() == 0
    assert page.get_by_role("button", name="Push").count() == 0
    assert page.get_by_role("link", name="New").count() == 0
    expect(page.locator(".bar")).to_contain_text("Read-only")
    page.goto(f"{stage.origin}/studio/#/objects/tasks?new=1")
    expect(page.locator("[data-row='0']")).to_be_visible()
    page.keyboard.press("n")
    assert page.get_by_role("button", name="Create").count() == 0
    page.goto(f"{stage.origin}/studio/#/check")
    expect(page.locator(".page")).to_contain_text("asks the server for nothing")
    assert page.get_by_role("button", name="Check the server").count() == 0


offers_nothing_that_writes_where_the_gateway_is_read_only.gateway = ("--read-only",)


@test
def shows_what_a_person_has_to_do_to_sign_in(stage):
    page = stage.page("#/settings")
    page.get_by_role("button", name="Pull").click()
    expect(page.locator(".sign-in")).to_contain_text("The server wants a sign-in")
    page.locator(".sign-in").get_by_role("button", name="Sign in").click()
    expect(page.locator(".sign-in .user-code")).to_have_text("WDJB-MJHT")
    link = page.locator(".sign-in").get_by_role("link")
    assert link.get_attribute("href") == "https://id.example.com/device" and "noopener" in link.get_attribute("rel")
    stage.api.is_approved = True
    expect(page.locator(".sign-in")).to_be_hidden()
    expect(page.locator(".account")).to_contain_text("Signed in.")
    page.get_by_role("button", name="Pull").click()
    expect(page.get_by_role("link", name="tasks 40")).to_be_visible()


shows_what_a_person_has_to_do_to_sign_in.code = "WDJB-MJHT"


# Decisions


def decided(stage, work, **expected):
    """Conflicts of a title and a rank are decided by `work`; what the server has afterwards is as expected."""
    stage.api.edit("tasks", 3, notes="one\ntwo\nthree")
    stage.gateway.ask("POST", "/v1/pull", {})
    support.conflict(
        stage.api, stage.gateway, 3, title=("Mine", "Theirs"), rank=(1, 2), notes=("one\nmine\nthree", "one\ntheirs\nthree")
    )
    page = stage.page("#/conflicts")
    card = page.locator("[data-uri='tasks/3']")
    expect(card.locator("[data-member=title]")).to_contain_text("Compare")
    work(card)
    expect(card).to_have_count(0)
    expect(page.locator(".nothing-here")).to_be_visible()
    page.get_by_role("button", name="Push").click()
    stage.gateway.wait("/v1/pending", lambda answer: answer["total"] == 0)
    there = {name: stage.api.records["tasks"][3][name] for name in expected}
    assert there == expected, there


def choose(card, member, choice):
    card.locator(f"[data-member={member}] [data-choice={choice}]").click()


@test
def decides_a_conflict_for_mine(stage):
    decided(
        stage, lambda card: card.get_by_role("button", name="All mine").click(), title="Mine", rank=1, notes="one\nmine\nthree"
    )


@test
def decides_a_conflict_for_theirs(stage):
    decided(
        stage,
        lambda card: card.get_by_role("button", name="All theirs").click(),
        title="Theirs",
        rank=2,
        notes="one\ntheirs\nthree",
    )


@test
def decides_a_conflict_for_both_texts(stage):
    def work(card):
        choose(card, "rank", "theirs")
        card.get_by_role("button", name="Both texts").click()

    decided(stage, work, rank=2, notes="one\ntheirs\nmine\nthree")


@test
def decides_a_conflict_member_by_member(stage):
    def work(card):
        choose(card, "title", "theirs")
        choose(card, "rank", "own")
        field(card, "rank").fill("77")
        choose(card, "notes", "both")
        card.get_by_role("button", name="Decide as chosen").click()

    decided(stage, work, title="Theirs", rank=77, notes="one\nmine\nthree\none\ntheirs\nthree")


MINE, THEIRS = support.picture(60, 140, 90), support.picture(170, 90, 60)


def two_pictures(stage):
    """Task 10 has another picture here than the server has got meanwhile."""
    connection = support.http.client.HTTPConnection("127.0.0.1", stage.gateway.port)
    connection.request(
        "PUT",
        "/v1/objects/tasks/10/contents/photo?name=gate.png",
        MINE,
        {"Authorization": f"Bearer {stage.gateway.token}", "Content-Type": "image/png"},
    )
    assert connection.getresponse().status == 200
    stage.api.photos[10] = THEIRS
    stage.api.edit("tasks", 10, photo=stage.api.base + "/tasks/10/photo/?v=77")
    stage.gateway.ask("POST", "/v1/pull", {})


def decides_pictures(stage, choice, picture):
    two_pictures(stage)
    page = stage.page("#/conflicts")
    card = page.locator("[data-uri='tasks/10']")
    expect(card.locator("img")).to_have_count(2)
    # Both are there, and are what they are said to be.
    is_whole = "images => Promise.all(images.map(image => image.decode().then(() => image.naturalWidth === 160)))"
    assert all(card.locator("img").evaluate_all(is_whole))
    choose(card, "photo", choice)
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card).to_have_count(0)
    page.get_by_role("button", name="Push").click()
    stage.gateway.wait("/v1/pending", lambda answer: answer["total"] == 0)
    assert stage.api.photos[10] == picture
    page.goto(f"{stage.origin}/studio/#/objects/tasks/10")
    panel(page).get_by_role("button", name="Show", exact=True).click()
    with page.expect_download() as download:
        panel(page).get_by_role("link", name="Download").click()
    with open(download.value.path(), "rb") as content:
        assert content.read() == picture


@test
def decides_for_my_picture(stage):
    decides_pictures(stage, "mine", MINE)


@test
def decides_for_their_picture(stage):
    decides_pictures(stage, "theirs", THEIRS)


def changed_there(stage, number, **members):
    """The server's side of a conflict changes once more."""
    stage.api.edit("tasks", number, **members)
    stage.gateway.ask("POST", "/v1/pull", {})


@test
def what_is_written_in_a_conflict_stays_when_the_conflict_changes(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"), notes=("my notes", "their notes"))
    page = stage.page("#/conflicts")
    card = page.locator("[data-uri='tasks/3']")
    choose(card, "title", "own")
    field(card, "title").fill("my words")
    choose(card, "notes", "theirs")
    field(card, "title").focus()
    changed_there(stage, 3, title="Theirs again", rank=77)
    expect(card.locator("[data-member=title] [data-choice=theirs]")).to_contain_text("Theirs again")
    expect(card.locator("fieldset[data-member=title] > .field-note")).to_have_text(
        "theirs changed since you chose."
    )
    expect(field(card, "title")).to_have_value("my words")
    expect(field(card, "title")).to_be_focused()
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card).to_have_count(0)
    record = stage.record("tasks/3")
    assert (record["title"], record["notes"], record["rank"]) == ("my words", "their notes", 77), record


@test
def what_is_written_in_a_conflict_stays_when_somebody_else_decides_it(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"))
    support.conflict(stage.api, stage.gateway, 4, title=("Mine", "Theirs"))
    page = stage.page("#/conflicts")
    card = page.locator("[data-uri='tasks/3']")
    choose(card, "title", "own")
    field(card, "title").fill("my words")
    stage.gateway.ask("POST", "/v1/objects/tasks/3/resolve", {"decision": "theirs"})
    expect(card.locator(".notice")).to_contain_text("Nothing is to be decided here any more")
    expect(field(card, "title")).to_have_value("my words")
    expect(field(card, "title")).to_be_focused()
    expect(page.locator(".card").first).to_have_attribute("data-uri", "tasks/3")
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card.locator(".problem")).to_contain_text("decided already, by somebody else")
    assert stage.record("tasks/3")["title"] == "Theirs"
    card.get_by_role("button", name="Drop it").click()
    expect(card).to_have_count(0)
    expect(page.locator(".total")).to_have_text("1 conflict")


@test
def what_is_written_in_a_refusal_stays_when_the_refusal_changes(stage):
    support.refusal(stage.gateway, 5, title="", rank=5000)
    page = stage.page("#/rejected")
    card = page.locator("[data-uri='tasks/5']")
    field(card, "title").fill("Half written")
    support.refusal(stage.gateway, 5, rank=5)
    expect(card.locator("[data-member=rank] .field-message")).to_be_hidden()
    expect(field(card, "rank")).to_have_value("5")
    expect(field(card, "title")).to_have_value("Half written")
    card.get_by_role("button", name="Save and send again").click()
    expect(card).to_have_count(0)
    stage.gateway.wait("/v1/pending", lambda answer: answer["total"] == 0)
    assert stage.api.records["tasks"][5]["title"] == "Half written"


@test
def a_choice_stays_when_the_conflict_changes(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"))
    page = stage.page("#/conflicts")
    card = page.locator("[data-uri='tasks/3']")
    title = card.locator("[data-member=title]")
    expect(title.locator("input[type=radio]:checked")).to_have_count(0)
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card.locator(".problem")).to_contain_text("Choose for title first.")
    choose(card, "title", "theirs")
    changed_there(stage, 3, title="Theirs again")
    expect(title.locator("[data-choice=theirs]")).to_contain_text("Theirs again")
    expect(title.locator("input[value=theirs]")).to_be_checked()
    expect(title.locator("> .field-note")).to_have_text("theirs changed since you chose.")
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card).to_have_count(0)
    assert stage.record("tasks/3")["title"] == "Theirs again"


@test
def decides_only_what_is_shown(stage):
    stage.expects_failures = True
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"))
    page = stage.page("#/conflicts")
    card = page.locator("[data-uri='tasks/3']")
    choose(card, "title", "mine")
    # The page does not hear of it.
    page.route("**/v1/conflicts", lambda route: route.abort())
    changed_there(stage, 3, title="Theirs again")
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card.locator(".problem")).to_contain_text("It has changed since it was shown here")
    expect(card.locator("[data-member=title] [data-choice=theirs]")).to_contain_text("Theirs again")
    assert len(stage.gateway.ask("GET", "/v1/conflicts")[1]["items"]) == 1
    # Nor of an edit here, after it has looked.
    def edits_first(route):
        stage.gateway.ask("PATCH", "/v1/objects/tasks/3", {"notes": "Somebody's"})
        route.continue_()

    page.route("**/resolve", edits_first)
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card.locator(".problem")).to_contain_text("tasks/3 is another by now")
    assert len(stage.gateway.ask("GET", "/v1/conflicts")[1]["items"]) == 1
    page.unroute("**/resolve")
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card.locator(".problem")).to_contain_text("It has changed since it was shown here")
    card.get_by_role("button", name="Decide as chosen").click()
    stage.gateway.wait("/v1/conflicts", lambda answer: not answer["items"])
    assert stage.record("tasks/3")["title"] == "Mine"


@test
def decides_an_edit_of_an_object_that_was_deleted_there(stage):
    stage.gateway.ask("PATCH", "/v1/objects/tasks/9", {"title": "Kept here"})
    stage.api.delete("tasks", 9)
    stage.gateway.ask("POST", "/v1/push", {})
    page = stage.page("#/conflicts")
    card = page.locator("[data-uri='tasks/9']")
    expect(card).to_contain_text("deleted on the server")
    card.get_by_role("button", name="Let it go").click()
    expect(card).to_have_count(0)
    assert stage.gateway.ask("GET", "/v1/objects/tasks/9")[0] == 404


@test
def fixes_a_refusal_and_sends_it_again(stage):
    support.refusal(stage.gateway, 5, title="", rank=5000)
    page = stage.page("#/objects/tasks/5")
    panel(page).get_by_role("link", name="Fix it").click()
    card = page.locator("[data-uri='tasks/5']")
    expect(card.locator("[data-member=title] .field-message")).to_have_text("This field may not be blank.")
    expect(card.locator("[data-member=rank] .field-message")).to_have_text("Ensure this value is between 0 and 999.")
    field(card, "title").fill("Photograph the kettle")
    field(card, "rank").fill("500")
    card.get_by_role("button", name="Save and send again").click()
    expect(card).to_have_count(0)
    stage.gateway.wait("/v1/pending", lambda answer: answer["total"] == 0)
    assert stage.api.records["tasks"][5]["title"] == "Photograph the kettle"


@test
def one_key_saves_wherever_something_is_written(stage):
    for number in (4, 5):
        support.refusal(stage.gateway, number, title="")
    for number in (2, 3):
        support.conflict(stage.api, stage.gateway, number, title=("Mine", "Theirs"), notes=("my notes", "their notes"))
    page = stage.page("#/objects/tasks/7")
    press = page.keyboard.press
    # Where nothing is written, nothing is to be saved.
    field(panel(page), "title").press("Control+Enter")
    field(panel(page), "title").fill("By Enter")
    press("Enter")
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    assert stage.record("tasks/7")["title"] == "By Enter"
    field(panel(page), "tags").fill("[1]")
    press("Control+Enter")
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    assert stage.record("tasks/7")["tags"] == [1]
    for number, key in ((4, "Enter"), (5, "Control+Enter")):
        page.goto(f"{stage.origin}/studio/#/rejected")
        card = page.locator(f"[data-uri='tasks/{number}']")
        field(card, "title").fill(f"Sent by {key}")
        press(key)
        expect(card).to_have_count(0)
        uri = f"tasks/{number}"
        stage.gateway.wait("/v1/pending", lambda answer: all(item["uri"] != uri for item in answer["items"]))
        assert stage.api.records["tasks"][number]["title"] == f"Sent by {key}"
    page.goto(f"{stage.origin}/studio/#/conflicts")
    card = page.locator("[data-uri='tasks/2']")
    choose(card, "title", "own")
    field(card, "title").fill("Decided by Enter")
    press("Enter")
    expect(card.locator(".problem")).to_contain_text("Choose for notes first.")
    # With the focus on another button it is the same key.
    choose(card, "notes", "mine")
    card.get_by_role("button", name="All theirs").focus()
    press("Control+Enter")
    expect(card).to_have_count(0)
    assert stage.record("tasks/2")["title"] == "Decided by Enter" and stage.record("tasks/2")["notes"] == "my notes"
    card = page.locator("[data-uri='tasks/3']")
    choose(card, "title", "theirs")
    choose(card, "notes", "own")
    field(card, "notes").fill("Decided by Ctrl Enter")
    press("Control+Enter")
    expect(card).to_have_count(0)
    assert stage.record("tasks/3")["notes"] == "Decided by Ctrl Enter"


@test
def says_what_became_of_a_refusal_that_was_sent_again(stage):
    support.refusal(stage.gateway, 5, title="")
    support.doubt(stage.api, stage.gateway, "Nobody knows.")
    page = stage.page("#/rejected")
    card = page.locator("[data-uri='tasks/5']")
    card.get_by_role("button", name="Try again as it is").click()
    expect(page.locator(".said")).to_have_text("tasks/5: the server refused it again.")
    field(card, "title").fill("Photograph the kettle")
    card.get_by_role("button", name="Save and send again").click()
    expect(page.locator(".said")).to_have_text("tasks/5 was sent again.")
    # What is in doubt is not taken by the server, as far as anybody knows.
    expect(page.locator(".nothing-here")).to_contain_text("The server has refused nothing that is kept here.")


@test
def says_when_an_edit_of_a_conflict_is_sent(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"))
    page = stage.page("#/objects/tasks/3")
    field(panel(page), "rank").fill("5")
    panel(page).get_by_role("button", name="Save").click()
    expect(page.locator(".said")).to_have_text("Saved here; it is sent when the conflict is decided.")


@test
def a_pull_that_asked_nobody_does_not_say_that_nothing_is_new(stage):
    page = stage.page("#/objects/tasks")
    page.get_by_role("switch", name="Offline").click()
    expect(page.locator(".said")).to_contain_text("Offline")
    page.get_by_role("button", name="Pull").click()
    expect(page.locator(".report")).to_contain_text("Pull is not complete")
    expect(page.locator(".report")).not_to_contain_text("nothing new")
    assert "nothing new" not in page.locator(".said").text_content()


@test
def a_push_that_sent_nothing_offline_says_so(stage):
    page = stage.page("#/objects/tasks")
    page.get_by_role("button", name="Push").click()
    expect(page.locator(".said")).to_have_text("Pushed: nothing.")
    page.get_by_role("switch", name="Offline").click()
    expect(page.locator(".said")).to_contain_text("Offline")
    page.get_by_role("button", name="Push").click()
    expect(page.locator(".said")).to_have_text("Offline, and nothing waits to be sent.")


@test
def adopts_a_create_in_doubt(stage):
    uri = support.doubt(stage.api, stage.gateway, "The spare key is with the neighbour.")
    stage.gateway.ask("POST", "/v1/pull", {})
    page = stage.page("#/unknown")
    card = page.locator(f"[data-uri='{uri}']")
    card.locator("[data-adopt='notes/3']").click()
    expect(card).to_have_count(0)
    assert stage.record("notes/3")["text"] == "The spare key is with the neighbour."
    assert len(stage.api.records["notes"]) == 3 and stage.gateway.ask("GET", "/v1/objects/notes")[1]["total"] == 3


@test
def pulls_and_looks_again_for_a_create_in_doubt(stage):
    uri = support.doubt(stage.api, stage.gateway, "The spare key is with the neighbour.")
    record = stage.api.records["notes"].pop(3)
    page = stage.page("#/unknown")
    card = page.locator(f"[data-uri='{uri}']")
    again = card.get_by_role("button", name="Pull and look again")
    again.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".said")).to_have_text("Pulled: nothing came that looks like it.")
    expect(again).to_be_focused()
    stage.api.records["notes"][3] = record
    page.keyboard.press("Enter")
    expect(card.locator("[data-adopt='notes/3']")).to_be_focused()
    expect(page.locator(".said")).to_have_text("Pulled: look at what came.")
    page.keyboard.press("Enter")
    expect(card).to_have_count(0)
    assert stage.gateway.ask("GET", "/v1/objects/notes")[1]["total"] == 3


@test
def sends_a_create_in_doubt_again(stage):
    uri = support.doubt(stage.api, stage.gateway, "Nobody has seen this.")
    stage.api.delete("notes", 3)
    page = stage.page("#/unknown")
    page.locator(f"[data-uri='{uri}']").get_by_role("button", name="Send it again").click()
    page.get_by_role("dialog").get_by_role("button", name="Send again").click()
    expect(page.locator(".nothing-here")).to_be_visible()
    page.get_by_role("button", name="Push").click()
    stage.gateway.wait("/v1/pending", lambda answer: answer["total"] == 0)
    assert [record["text"] for record in stage.api.records["notes"].values()].count("Nobody has seen this.") == 1


# Everybody


@test
def objects_have_their_names_beside_their_addresses(stage):
    troubled(stage)
    page = stage.page("")
    # What is to be decided comes first.
    expect(page.get_by_role("heading", name="Conflicts")).to_be_visible()
    expect(page.locator("[data-uri='tasks/3'] h2")).to_contain_text("Compare oat milk for the office and the school")
    expect(page.locator(".net-words")).to_have_text("5 to decide, 3 to send")
    for place, text in (("rejected", "Photograph oat milk for the office"), ("unknown", "The spare key is with the neighbour.")):
        page.goto(f"{stage.origin}/studio/#/{place}")
        expect(page.locator(".card h2")).to_contain_text(text)
    page.goto(f"{stage.origin}/studio/#/waiting")
    waiting = page.locator(".waiting li", has=page.get_by_text("tasks/3", exact=True))
    expect(waiting).to_contain_text("Compare oat milk for the office and the school")
    expect(waiting).not_to_contain_text("atmos")
    waiting.get_by_role("link", name="Decide").click()
    expect(page.locator("[data-uri='tasks/3'] h2")).to_be_focused()
    page.goto(f"{stage.origin}/studio/#/objects/tasks/12?tab=waiting")
    expect(panel(page).locator("h2")).to_contain_text("Repair the garden gate with Jonas")
    expect(panel(page).locator(".changes")).to_have_count(1)


@test
def arrows_go_through_the_choices_and_keep_what_is_written(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Mine", "Theirs"))
    page = stage.page("#/conflicts")
    card = page.locator("[data-uri='tasks/3']")
    card.locator("input[value=mine]").focus()
    for key, name in (("Down", "theirs"), ("Down", "both"), ("Down", "own"), ("Down", "mine"), ("Up", "own")):
        page.keyboard.press(f"Arrow{key}")
        expect(card.locator(f"input[value={name}]")).to_be_checked()
        expect(card.locator(f"input[value={name}]")).to_be_focused()
    page.keyboard.press("Tab")
    expect(field(card, "title")).to_be_focused()
    field(card, "title").fill("my words")
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("ArrowDown")
    expect(field(card, "title")).to_be_hidden()
    page.keyboard.press("ArrowUp")
    expect(field(card, "title")).to_have_value("my words")
    # A pointer goes on with the text.
    choose(card, "title", "mine")
    choose(card, "title", "own")
    expect(field(card, "title")).to_be_focused()
    card.get_by_role("button", name="Decide as chosen").click()
    expect(card).to_have_count(0)
    assert stage.record("tasks/3")["title"] == "my words"


@test
def a_new_object_has_fields_for_what_is_written(stage):
    page = stage.page("#/objects/tasks?new=1")
    expect(field(panel(page), "title")).to_be_visible()
    assert panel(page).locator("[data-member=photo], [data-member=modified], [data-member=id]").count() == 0
    heading = page.get_by_role("heading", name="New in tasks")
    assert heading.evaluate("(each) => each.getBoundingClientRect().height < 1.5 * parseFloat(getComputedStyle(each).lineHeight)")


@test
def asks_before_an_empty_object_is_created(stage):
    page = stage.page("#/objects/tasks?new=1")
    panel(page).get_by_role("button", name="Create").click()
    page.get_by_role("dialog").get_by_role("button", name="Cancel").click()
    assert stage.gateway.ask("GET", "/v1/pending")[1]["total"] == 0


@test
def everything_can_be_done_with_the_keyboard(stage):
    page = stage.page("#/objects/tasks")
    expect(page.locator("[data-row='5']")).to_be_visible()
    press = page.keyboard.press
    press("?")
    expect(page.get_by_role("dialog", name="Keys")).to_be_visible()
    press("Escape")
    expect(page.get_by_role("dialog", name="Keys")).to_be_hidden()
    press("/")
    page.keyboard.type("tyres")
    expect(page.locator(".total")).to_contain_text("found")
    press("Enter")
    expect(page.locator(".grid")).to_be_focused()
    press("ArrowDown")
    press("ArrowRight")
    active = page.locator(".active")
    expect(active).to_have_attribute("aria-colindex", "2")
    assert page.locator(".grid").get_attribute("aria-activedescendant") == active.get_attribute("id")
    press("Enter")
    expect(panel(page).locator("h2")).to_be_focused()
    number = panel(page).locator(".id").text_content()
    for _ in range(40):
        press("Tab")
        if page.evaluate("document.activeElement.closest('[data-member=title]') && document.activeElement.matches('input')"):
            break
    press("Control+A")
    page.keyboard.type("By keys alone")
    press("Enter")
    expect(panel(page).locator(".state")).to_have_text("edited")
    press("Escape")
    expect(page.locator(".grid")).to_be_focused()
    expect(panel(page)).to_have_count(0)
    assert stage.record(f"tasks/{number}")["title"] == "By keys alone"
    press("Control+Home")
    press("ArrowUp")
    press("End")
    press("Home")
    press("Enter")
    expect(page.get_by_role("columnheader", name="id", exact=True)).to_have_attribute("aria-sort", "ascending")
    # No trap: the focus comes round to the page's beginning.
    seen = set()
    for _ in range(60):
        press("Tab")
        seen.add(page.evaluate("document.activeElement.textContent.trim().slice(0, 40) + document.activeElement.className"))
    assert any("To the content" in each for each in seen) and any("Sync" in each for each in seen), seen
    page.locator(".grid").focus()
    press("n")
    expect(page.get_by_role("heading", name="New in tasks")).to_be_visible()


@test
def the_menu_of_a_narrow_window_has_the_focus_while_it_is_open(stage):
    page = stage.page("#/log", width=360)
    menu, side = page.get_by_role("button", name="Menu"), page.locator(".sidebar")
    has_focus = "document.querySelector('.sidebar').contains(document.activeElement)"

    def opens():
        menu.focus()
        page.keyboard.press("Enter")
        expect(side).to_be_visible()
        assert page.evaluate(has_focus)
        expect(page.get_by_role("link", name="lists")).to_be_focused()

    opens()
    page.keyboard.press("Escape")
    expect(menu).to_be_focused()
    expect(side).to_be_hidden()
    # It never lies over what has the focus.
    for key in ("Tab", "Shift+Tab"):
        opens()
        for _ in range(20):
            page.keyboard.press(key)
            if not page.evaluate(has_focus):
                break
        expect(side).to_be_hidden()
    opens()
    page.mouse.click(340, 600)
    expect(side).to_be_hidden()
    opens()
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="tasks")).to_be_focused()
    expect(side).to_be_hidden()


@test
def a_key_sets_null_and_tab_goes_to_its_button(stage):
    page = stage.page("#/objects/tasks/7")
    field(panel(page), "price").focus()
    page.keyboard.press("Tab")
    expect(panel(page).get_by_role("button", name="due: null")).to_be_focused()
    page.keyboard.press("Tab")
    expect(field(panel(page), "due")).to_be_focused()
    page.keyboard.press("Alt+n")
    expect(panel(page).get_by_role("button", name="due: null")).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Control+Enter")
    expect(panel(page).locator(".panel-foot")).to_be_hidden()
    assert stage.record("tasks/7")["due"] is None
    # Once more brings back what was written.
    field(panel(page), "title").fill("Half written")
    page.keyboard.press("Alt+n")
    expect(field(panel(page), "title")).to_have_attribute("placeholder", "null")
    page.keyboard.press("Alt+n")
    expect(field(panel(page), "title")).to_have_value("Half written")
    # Where the keyboard writes a letter with Alt, it is that letter.
    for letter in ("ñ", "ń", "Dead"):
        field(panel(page), "title").dispatch_event("keydown", {"key": letter, "code": "KeyN", "altKey": True})
    expect(field(panel(page), "title")).to_have_value("Half written")


HOSTILE = {
    "markup": "<img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>",
    "bidi": "gpj.\u202eexe\u2066 isolate \u200b\u200f right",
    "large": "a very long word " + "x" * 1_000_000,
}


@test
def hostile_texts_are_shown_as_text(stage):
    for number, text in zip((1, 2, 3), HOSTILE.values()):
        stage.api.edit("tasks", number, title=text, notes=text, **{f"<b onclick=alert({number})>": text[:100]})
    stage.gateway.ask("POST", "/v1/pull", {})
    support.conflict(stage.api, stage.gateway, 1, title=(HOSTILE["markup"] + " mine", HOSTILE["markup"] + " theirs"))
    support.conflict(stage.api, stage.gateway, 3, title=(HOSTILE["large"] + " mine", HOSTILE["large"] + " theirs"))
    page = stage.page("#/objects/tasks")
    expect(page.locator("[data-row='0']")).to_contain_text("<img src=x")
    expect(page.locator("[data-row='1']")).to_contain_text("⟨U+202E⟩")
    for place in ("objects/tasks/1", "objects/tasks/2", "objects/tasks/3"):
        page.goto(f"{stage.origin}/studio/#/{place}")
        start = time.monotonic()
        expect(panel(page).locator("[data-member=title]")).to_be_visible(timeout=60_000)
        if place.endswith("3"):
            panel(page).locator("[data-member=title]").get_by_role("button", name="Edit all").click(timeout=60_000)
        print(f"  {place} opened in {(time.monotonic() - start) * 1000:.0f} ms")
        assert field(panel(page), "title").input_value() == stage.record(place.removeprefix("objects/"))["title"]
    page.goto(f"{stage.origin}/studio/#/conflicts")
    expect(page.locator("[data-uri='tasks/3']")).to_be_visible()
    expect(page.locator("[data-uri='tasks/1'] [data-member=title] [data-choice=mine]")).to_contain_text("<img src=x")
    for place in ("log", "waiting", "settings/tasks", "objects/%3Cimg%20src%3Dx%3E", "nowhere"):
        page.goto(f"{stage.origin}/studio/#/{place}")
        expect(page.locator("h1")).to_be_visible()
    assert "owned" not in page.title() and page.locator("main img, main script, main b[onclick]").count() == 0


@test
def names_for_screen_readers_hold_no_character_that_cannot_be_seen(stage):
    page = stage.page("#/objects/tasks/6?where=title!=gpj.%E2%80%AEexe")
    file = {"name": "gpj.\u202eexe", "mimeType": "text/plain", "buffer": b"text"}
    panel(page).locator("input[type=file]").set_input_files(file)
    expect(panel(page).locator(".upload button")).to_have_attribute("aria-label", "Drop gpj.⟨U+202E⟩exe")
    expect(page.locator(".filters button")).to_have_attribute("aria-label", "Remove the filter title!=gpj.⟨U+202E⟩exe")


def colours(page, selector, property="backgroundColor", pseudo=None):
    script = "([selector, property, pseudo]) => getComputedStyle(document.querySelector(selector), pseudo)[property]"
    return page.evaluate(script, [selector, property, pseudo])


@test
def what_is_drawn_can_be_seen_in_the_colours_of_the_system(stage):
    support.conflict(stage.api, stage.gateway, 3, title=("Compare all milk for the office", "Compare oat milk for the house"))
    for scheme in ("light", "dark"):
        page = stage.page("#/conflicts", scheme=scheme, forced_colors="active")
        expect(page.locator("ins").first).to_be_visible()
        assert page.evaluate("matchMedia('(forced-colors: active)').matches")
        ground = colours(page, "body")
        assert colours(page, "ins", "textDecorationLine") == "underline"
        assert colours(page, ".dot") != ground
        assert colours(page, ".knob", "outlineStyle") == "solid" and colours(page, ".knob", pseudo="::after") != ground
        off = colours(page, ".knob")
        page.get_by_role("switch", name="Offline").click()
        expect(page.get_by_role("switch", name="Offline")).to_have_attribute("aria-checked", "true")
        assert colours(page, ".knob") != off and colours(page, ".knob", pseudo="::after") != colours(page, ".knob")
        if stage.options.screenshots:
            page.screenshot(path=os.path.join(stage.options.screenshots, f"forced-{scheme}.png"))
        page.get_by_role("switch", name="Offline").click()
        expect(page.get_by_role("switch", name="Offline")).to_have_attribute("aria-checked", "false")


def troubled(stage):
    """Something to see in every view."""
    stage.api.edit("tasks", 3, notes=support.LONG)
    stage.gateway.ask("POST", "/v1/pull", {})
    stage.gateway.ask("PATCH", "/v1/objects/tasks/9", {"title": "Collect the milk on Monday"})
    stage.api.delete("tasks", 9)
    support.refusal(stage.gateway, 5, title="", rank=5000)
    support.doubt(stage.api, stage.gateway, "The spare key is with the neighbour.")
    support.conflict(
        stage.api,
        stage.gateway,
        3,
        title=("Compare oat milk for the office and the school", "Compare all kinds of milk for the office"),
        notes=(
            support.LONG.replace("blue door", "red door").replace("nine", "eight"),
            support.LONG.replace("Tuesday", "Thursday"),
        ),
        rank=(11, 12),
    )
    two_pictures(stage)
    stage.gateway.ask("PATCH", "/v1/objects/tasks/12", {"title": "Repair the garden gate with Jonas", "done": False})
    stage.gateway.ask("POST", "/v1/objects/tasks", {"title": "Paint the garden gate", "list": 3, "done": False})
    stage.gateway.ask("DELETE", "/v1/objects/tasks/8")


VIEWS = {
    "table": ("#/objects/tasks?sort=due", "[data-row='5'] bdi.string"),
    "object": ("#/objects/tasks/12", "[data-member=title]"),
    "object-waiting": ("#/objects/tasks/12?tab=waiting", ".panel .request"),
    "object-history": ("#/objects/tasks/12?tab=history", ".history li"),
    "new": ("#/objects/tasks?new=1", "[data-member=title]"),
    "conflicts": ("#/conflicts", "[data-uri='tasks/3']"),
    "pictures": ("#/conflicts/tasks%2F10", "[data-uri='tasks/10'] img"),
    "refusals": ("#/rejected", "[data-uri='tasks/5'] [data-member=title]"),
    "in-doubt": ("#/unknown", ".compare"),
    "waiting": ("#/waiting", ".waiting li"),
    "settings": ("#/settings/tasks", ".settings tbody tr"),
    "settings-for-all": ("#/settings", ".settings tbody tr"),
    "log": ("#/log", ".log tbody tr"),
    "check": ("#/check", ".found .card"),
}
#: What a person does first, by view.
STEPS = {"check": lambda page: page.get_by_role("button", name="Check the server").click()}


def opens(stage, page, name):
    place, ready = VIEWS[name]
    page.goto(f"{stage.origin}/studio/{place}")
    if name in STEPS:
        STEPS[name](page)
    return page.locator(ready).first


@test
def every_view_passes_the_accessibility_check_in_both_themes(stage):
    with open(os.path.join(os.path.dirname(axe_playwright_python.__file__), "axe.min.js"), encoding="utf-8") as file:
        axe = file.read()
    troubled(stage)
    findings = []
    for scheme, width in (("light", 1280), ("dark", 1280), ("light", 360)):
        page = stage.page(width=width, scheme=scheme, bypass_csp=True, reduced_motion="reduce")
        page.evaluate(axe)
        for name in VIEWS:
            expect(opens(stage, page, name)).to_be_attached()
            result = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
            for violation in result["violations"]:
                nodes = "; ".join(
                    node["html"][:160] + " " + node["failureSummary"].replace("\n", " ")[:260] for node in violation["nodes"][:3]
                )
                findings.append(f"{scheme} {width} {name}: {violation['id']}: {nodes}")
            wide = page.evaluate(
                "[document.scrollingElement, ...document.querySelectorAll('.page, .panel-body')]"
                ".some((each) => each.scrollWidth > each.clientWidth)"
            )
            if wide:
                findings.append(f"{scheme} {width} {name}: wider than the window")
    assert not findings, "\n".join(findings)


@test
def pictures_of_every_view(stage):
    """Writes the screenshots that the guide names."""
    if not stage.options.screenshots:
        return
    os.makedirs(stage.options.screenshots, exist_ok=True)
    troubled(stage)
    for scheme in ("light", "dark"):
        page = stage.page(scheme=scheme, reduced_motion="reduce")
        for name in VIEWS:
            expect(opens(stage, page, name)).to_be_visible()
            page.screenshot(path=os.path.join(stage.options.screenshots, f"studio-{name}-{scheme}.png"))


# Many rows


@test
def a_hundred_thousand_rows_are_a_table_like_any_other(stage):
    page = stage.page("#/log")
    # When the rows have been painted, counted from the beginning of the navigation.
    page.add_init_script("""new MutationObserver((_, observer) => {
          if (!document.querySelector("[data-row='15'] bdi.string")) return;
          observer.disconnect();
          requestAnimationFrame(() => setTimeout(() => { window.firstRows = performance.now(); }));
        }).observe(document, {childList: true, subtree: true})""")
    rows = stage.options.rows
    times = []
    for _ in range(5):
        page.goto("about:blank")
        page.goto(f"{stage.origin}/studio/#/objects/tasks")
        expect(page.locator("[data-row='15'] bdi.string").first).to_be_visible()
        times.append(page.evaluate("window.firstRows"))
    print(f"  first view with {rows} rows: " + ", ".join(f"{time:.0f}" for time in times) + " ms")
    expect(page.locator(".total")).to_have_text(f"{rows:,}")
    start = time.monotonic()
    page.evaluate(
        "(() => { const grid = document.querySelector('.grid'); "
        "grid.scrollTop = (grid.scrollHeight - grid.clientHeight) / 2; })()"
    )
    expect(page.locator(f"[data-row='{rows // 2}'] bdi.string").first).to_be_visible(timeout=60_000)
    print(f"  to the middle: {(time.monotonic() - start) * 1000:.0f} ms")
    assert page.locator("[data-row]").count() < 60, "only the rows in sight are in the document"
    frames = page.evaluate("""(async () => {
      const grid = document.querySelector('.grid');
      const times = [];
      let last = performance.now();
      for (let step = 0; step < 120; step += 1) {
        grid.scrollTop += 60;
        await new Promise(requestAnimationFrame);
        times.push(performance.now() - last);
        last = performance.now();
      }
      return times.sort((one, other) => one - other);
    })()""")
    print(f"  frames while scrolling: half within {frames[60]:.0f} ms, 95 % within {frames[114]:.0f} ms")
    # Live events leave the place alone.
    expect(page.locator(".grid .blank")).to_have_count(0, timeout=60_000)
    place = page.evaluate("document.querySelector('.grid').scrollTop")
    number = int(page.evaluate("[...document.querySelectorAll('[data-row]')].at(-15).children[0].textContent"))
    stage.gateway.ask("PATCH", f"/v1/objects/tasks/{number}", {"title": "Edited by somebody else"})
    expect(row(page, "Edited by somebody else")).to_be_visible(timeout=60_000)
    assert page.evaluate("document.querySelector('.grid').scrollTop") == place
    page.locator(".grid").focus()
    page.keyboard.press("Control+End")
    expect(page.locator(f"[data-row='{rows - 1}'] bdi.string").first).to_be_visible(timeout=60_000)
    start = time.monotonic()
    page.get_by_label("Search", exact=True).fill("needle in the haystack")
    expect(page.locator(".total")).to_have_text("1 found", timeout=120_000)
    print(f"  one of {rows} found: {(time.monotonic() - start) * 1000:.0f} ms")
    expect(row(page, "Find the needle in the haystack")).to_be_visible()
    page.get_by_label("Search", exact=True).fill("")
    expect(page.locator(".total")).to_have_text(f"{rows:,}")
    start = time.monotonic()
    page.get_by_role("columnheader", name="title").click()
    expect(page.locator("[data-row='0']")).to_contain_text("Ask for a birthday cake", timeout=120_000)
    print(f"  sorted by a member with an index: {(time.monotonic() - start) * 1000:.0f} ms")


a_hundred_thousand_rows_are_a_table_like_any_other.is_large = True


def run(options):
    failed = 0
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=support.chromium(), args=["--no-sandbox"])
        for each in TESTS:
            if options.only and options.only not in each.__name__:
                continue
            tasks = options.rows if getattr(each, "is_large", False) else 40
            start = time.monotonic()
            stage = Stage(options, browser, tasks, getattr(each, "gateway", ()), getattr(each, "code", None))
            try:
                each(stage)
                assert not stage.complaints, stage.complaints
                print(f"ok      {each.__name__} ({time.monotonic() - start:.1f} s)", flush=True)
            except Exception:
                failed += 1
                print(f"FAILED  {each.__name__}\n{traceback.format_exc()}\n{stage.complaints}", flush=True)
                for index, context in enumerate(stage.contexts):
                    if options.screenshots and context.pages:
                        context.pages[0].screenshot(path=os.path.join(options.screenshots, f"failed-{each.__name__}-{index}.png"))
            finally:
                stage.end()
        browser.close()
    print(f"{failed} failed" if failed else "studio: all tests passed")
    return 1 if failed else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("atmos")
    parser.add_argument("--web")
    parser.add_argument("--screenshots")
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--only")
    sys.exit(run(parser.parse_args()))
