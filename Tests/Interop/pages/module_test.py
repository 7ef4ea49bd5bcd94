"""What a page made with atmosphere.js does, in Chromium against a real gateway.

module_test.py ATMOS [--screenshots FOLDER] [--only NAME] [--rounds N] [--rows N] [--measure]
Prints a line for each test; the exit code is 0 where all of them passed.
"""
import argparse
import contextlib
import json
import os
import random
import sqlite3
import sys
import time
import traceback

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import sync_playwright

from studio_support import chromium
from world import HERE, ROOT, ROUTES, World

SAMPLE, SITE = ROOT / "Samples/Pages", HERE / "site"
SENT = "() => window.local.status.pending === 0 && window.local.status.state === 'connected'"
AWAY = "() => window.local.status.state === 'unreachable'"


def titled(records, title):
    return [record for record in records if record.get("title") == title]


def sees(page, title, **members):
    """Waits until the page shows one row with this title and these members."""
    page.wait_for_function(
        """([title, members]) => {
            const rows = (window.seen.tasks ?? []).filter(row => row.title === title);
            return rows.length === 1 && Object.entries(members).every(([name, value]) => rows[0][name] === value);
        }""", arg=[title, members])


def is_gone(page, title):
    page.wait_for_function("title => !window.seen.tasks.some(row => row.title === title)", arg=title)


def save(page, record):
    return page.evaluate("record => tasks.save(record)", record)


def edit(page, title, members):
    """Edits the row with this title, as the page has it."""
    return page.evaluate(
        "async ([title, members]) => { const [row] = await tasks.all({ where: { title } });"
        " return tasks.save({ ...row, ...members }); }", [title, members])


def settled(page):
    page.wait_for_function(SENT)


def kept_offline(page):
    """Waits until the service worker has the page."""
    page.wait_for_function(
        "async () => { const cache = await caches.open('atmosphere-pages');"
        " return (await cache.keys()).length >= 3 && navigator.serviceWorker.controller !== null; }")


# Online

def test_a_page_creates_edits_sorts_and_deletes(world):
    page = world.open()
    sees(page, "Task 1")
    save(page, {"title": "Milk", "list": 1, "rank": 7})
    edit(page, "Milk", {"done": True})
    settled(page)
    [milk] = titled(world.records(), "Milk")
    assert (milk["done"], milk["rank"]) == (True, 7), milk
    titles = page.evaluate("async () => (await tasks.all({ sort: '-title', limit: 2, offset: 1 })).map(row => row.title)")
    assert titles == ["Task 4", "Task 3"], titles
    found = page.evaluate("() => tasks.query({ where: { title: { '~=': 'TASK' }, done: false }, sort: 'rank', limit: 1 })")
    assert found["total"] == 3 and len(found["items"]) == 1, found
    assert page.evaluate("() => tasks.all({ where: { title: { '*=': 'TASK' } } })") == []
    page.evaluate("async () => tasks.remove((await tasks.all({ where: { title: 'Milk' } }))[0])")
    settled(page)
    assert not titled(world.records(), "Milk")
    is_gone(page, "Milk")


def test_only_the_members_that_changed_are_sent(world):
    page = world.open()
    sees(page, "Task 1")
    bodies = []
    page.on("request", lambda request: request.method == "PATCH" and bodies.append(request.post_data))
    edit(page, "Task 1", {"done": False, "notes": "new"})
    settled(page)
    save(page, {"id": 2, "title": "Task 2"})
    settled(page)
    assert [json.loads(body) for body in bodies] == [{"done": False, "notes": "new"}], bodies


def test_a_row_that_was_seen_before_another_edit_does_not_undo_it(world):
    page = world.open()
    sees(page, "Task 1")
    page.evaluate("async () => { window.old = await tasks.get(1); }")
    world.ask("PATCH", "/v1/objects/tasks/1", {"notes": "theirs"})
    sees(page, "Task 1", notes="theirs")
    page.evaluate("() => tasks.save({ ...window.old, rank: 1 })")
    settled(page)
    [task] = titled(world.records(), "Task 1")
    assert (task["notes"], task["rank"]) == ("theirs", 1), task


def test_a_member_that_is_undefined_is_removed(world):
    page = world.open()
    sees(page, "Task 1")
    page.evaluate("async () => tasks.save({ ...await tasks.get(1), notes: undefined })")
    settled(page)
    assert "notes" not in titled(world.records(), "Task 1")[0]


def test_two_pages_of_different_browsers_show_each_others_edits(world):
    one, other = world.open(), world.open()
    sees(other, "Task 1")
    save(one, {"title": "from one", "list": 1})
    sees(other, "from one")
    edit(other, "from one", {"done": True})
    sees(one, "from one", done=True)
    other.evaluate("async () => tasks.remove((await tasks.all({ where: { title: 'from one' } }))[0])")
    is_gone(one, "from one")


def test_tabs_share_one_queue_and_the_next_one_takes_over(world):
    profile = world.profile()
    leader, tab = world.open(profile), world.open(profile)
    sees(tab, "Task 1")
    save(tab, {"title": "in a tab", "list": 1})
    sees(leader, "in a tab")
    leader.close()
    save(tab, {"title": "after it", "list": 1})
    settled(tab)
    assert len(titled(world.records(), "after it")) == 1
    assert len(titled(world.records(), "in a tab")) == 1


def test_a_pull_of_the_gateway_is_shown(world):
    page = world.open()
    sees(page, "Task 1")
    world.ask_source("PATCH", "/tasks/1/", {"notes": "from the server"})
    assert world.ask("POST", "/v1/pull", {})[0] == 200
    sees(page, "Task 1", notes="from the server")


def test_what_a_push_renames_is_followed(world):
    page = world.open()
    sees(page, "Task 1")
    row = save(page, {"title": "renamed", "list": 1})
    settled(page)
    assert world.ask("POST", "/v1/push", {})[0] == 200
    page.wait_for_function("() => window.seen.tasks.find(row => row.title === 'renamed')?.id === 6")
    assert page.evaluate("async id => (await tasks.get(id)).id", row["id"]) == 6
    save(page, {"id": row["id"], "notes": "by its old name"})
    settled(page)
    [record] = titled(world.records(), "renamed")
    assert record["id"] == 6 and record["notes"] == "by its old name", record


def test_whole_numbers_beyond_2_to_the_53rd_keep_their_digits(world):
    world.ask("PATCH", "/v1/objects/tasks/1", {"title": "big"})
    connection = "PATCH", "/v1/objects/tasks/1"
    world.ask(*connection, {"big": 12345678901234567890})
    page = world.open()
    sees(page, "big")
    assert page.evaluate("async () => String((await tasks.get(1)).big)") == "12345678901234567890"
    page.evaluate("async () => tasks.save({ ...await tasks.get(1), big: 12345678901234567891n })")
    settled(page)
    assert titled(world.records(), "big")[0]["big"] == 12345678901234567891


def test_whole_numbers_beyond_2_to_the_53rd_are_in_order(world):
    large = [12345678901234567891, 12345678901234567890, 9007199254740993, 7]
    for id, number in enumerate(large, 1):
        world.ask("PATCH", f"/v1/objects/tasks/{id}", {"big": number, "title": f"big {id}"})
    page = world.open()
    sees(page, "big 4")
    ids = page.evaluate("() => tasks.all({ where: { big: { '>=': 7 } }, sort: 'big' }).then(rows => rows.map(row => row.id))")
    assert ids == [4, 3, 2, 1], ids
    assert page.evaluate("() => tasks.all({ where: { big: { '<': 12345678901234567891n, '>': 9007199254740993n } } })"
                         ".then(rows => rows.map(row => row.id))") == [2]


def leads(page, **places):
    """A page that the gateway leads to other objects; `places` can be changed."""
    places = {name[1:]: place for name, place in places.items()}

    def handle(route):
        folder, id = route.request.url.rsplit("/", 1)
        if route.request.method != "GET" or id not in places:
            return route.continue_()
        return route.fulfill(response=route.fetch(url=f"{folder}/{places[id]}"))
    page.route("**/v1/objects/tasks/*", handle)
    return places


def test_an_address_that_leads_back_to_an_earlier_one_is_followed(world):
    page = world.open()
    sees(page, "Task 2")
    places = leads(page, _1="2")
    world.ask("PATCH", "/v1/objects/tasks/1", {"notes": "it is 2 now"})
    is_gone(page, "Task 1")
    places.clear()
    places["2"] = "1"
    world.ask("PATCH", "/v1/objects/tasks/2", {"notes": "it is 1 again"})
    is_gone(page, "Task 2")
    for id in (1, 2):
        page.wait_for_function("async id => (await tasks.get(id)).title === 'Task 1'", arg=id)


def two_that_become_one(world, one, other):
    """Edits of tasks 1 and 2 wait, and then the gateway says that 1 is 2."""
    page = world.open()
    sees(page, "Task 2")
    world.kill()
    edit(page, "Task 1", one)
    edit(page, "Task 2", other)
    page.wait_for_function(AWAY)
    leads(page, _1="2")
    world.start()
    return page


def test_edits_of_two_that_become_one_both_stay(world):
    page = two_that_become_one(world, {"extra": "of one"}, {"rank": 5})
    settled(page)
    [record] = titled(world.records(), "Task 2")
    assert (record["extra"], record["rank"]) == ("of one", 5), record


def test_edits_of_one_member_of_two_that_become_one_are_a_conflict(world):
    page = two_that_become_one(world, {"extra": "of one"}, {"extra": "of two"})
    item = decide(page, "mine")
    assert (item["fields"], item["mine"], item["theirs"]["extra"]) == (["extra"], {"extra": "of one"}, "of two"), item
    assert titled(world.records(), "Task 2")[0]["extra"] == "of one"


def test_a_damaged_record_costs_the_description_the_names_of_its_entity(world):
    world.kill()
    with contextlib.closing(sqlite3.connect(os.path.join(world.folder, "tasks.db"))) as database, database:
        assert database.execute("UPDATE object_2 SET record = '{\"id\":' WHERE key = 1").rowcount == 1
    world.start()
    status, document = world.ask("GET", "/v1/openapi.json")
    assert status == 200, document
    schemas = document["components"]["schemas"]
    assert "title" in schemas["record_lists"]["properties"] and "title" not in schemas["record_tasks"]["properties"]


def test_what_the_gateway_refuses_is_told_and_corrected(world):
    page = world.open()
    sees(page, "Task 1")
    save(page, {"title": "refused", "list": 1, "modified": "2026-01-01"})
    page.wait_for_function("() => local.status.refused === 1")
    save(page, {"title": "not held up", "list": 1})
    settled(page)
    [item] = page.evaluate("() => local.conflicts()")
    assert item["place"] == "page" and item["kind"] == "refused" and "modified" in item["message"], item
    page.evaluate("async () => tasks.save({ id: (await local.conflicts())[0].id, modified: undefined })")
    settled(page)
    assert len(titled(world.records(), "refused")) == 1


def test_an_entity_that_is_not_there_is_said(world):
    page = world.open()
    sees(page, "Task 1")
    message = page.evaluate("() => local.collection('takss').all().catch(error => `${error.code}: ${error.message}`)")
    assert message == "unknownName: the gateway has no “takss”; it has lists, tasks", message


def test_a_conflict_of_the_gateway_is_decided(world):
    page = world.open()
    sees(page, "Task 1")
    edit(page, "Task 1", {"notes": "mine"})
    settled(page)
    world.ask_source("PATCH", "/tasks/1/", {"notes": "theirs"})
    world.ask("POST", "/v1/pull", {})
    page.wait_for_function("() => local.status.gateway.entities.tasks.conflicted === 1")
    [item] = page.evaluate("() => local.conflicts()")
    assert (item["place"], item["mine"]["notes"], item["theirs"]["notes"]) == ("gateway", "mine", "theirs"), item
    page.evaluate("async () => local.resolve((await local.conflicts())[0], 'theirs')")
    sees(page, "Task 1", notes="theirs")
    assert page.evaluate("() => local.conflicts()") == []


def test_a_create_in_doubt_is_adopted(world):
    page = world.open()
    sees(page, "Task 1")
    world.lossy.creates = 1
    save(page, {"title": "in doubt", "list": 1})
    settled(page)
    world.ask("POST", "/v1/push", {})
    page.wait_for_function("() => local.status.gateway.entities.tasks.unknown === 1")
    world.ask("POST", "/v1/pull", {})
    page.wait_for_function("() => seen.tasks.filter(row => row.title === 'in doubt').length === 2")
    [item] = page.evaluate("() => local.conflicts()")
    assert (item["place"], item["kind"], item["candidates"]) == ("gateway", "unknown", ["tasks/6"]), item
    page.evaluate(
        "async () => { const [item] = await local.conflicts();"
        " await local.resolve(item, { decision: 'adopt', adopt: item.candidates[0].split('/')[1] }); }")
    sees(page, "in doubt")
    assert page.evaluate("() => local.conflicts()") == []
    assert [len(titled(found, "in doubt")) for found in (world.records(), world.ask_source("GET", "/tasks/")[1]["results"])] == [1, 1]


test_a_create_in_doubt_is_adopted.routes = ROUTES.replace("    lookup: {{ field: uuid, query: uuid }}\n", "")


def test_a_list_of_several_pages_is_read_as_a_whole(world):
    page = world.open()
    page.wait_for_function("() => seen.tasks?.length === 2300")
    ids = page.evaluate("() => tasks.all({ sort: 'id' }).then(rows => rows.map(row => row.id))")
    assert ids == list(range(1, 2301))
    page.evaluate("() => { window.calls = 0; tasks.subscribe({ where: { id: 7 } }, () => { window.calls += 1; }); }")
    world.ask("PATCH", "/v1/objects/tasks/2300", {"notes": "at the end"})
    page.wait_for_function("() => seen.tasks.some(row => row.notes === 'at the end')")
    assert page.evaluate("() => window.calls") == 1


test_a_list_of_several_pages_is_read_as_a_whole.seed = 2300


def test_one_of_many_rows_is_found_sorted_and_edited(world):
    started = time.monotonic()
    page = world.open()
    page.wait_for_function("rows => seen.tasks?.length === rows", arg=world.rows, timeout=600_000)
    copied = time.monotonic() - started
    wanted = f"Task {world.rows * 2 // 3}"
    found, sorted_ = page.evaluate(
        """async title => {
            const start = performance.now(), rows = await tasks.all({ where: { title } }), end = performance.now();
            const last = await tasks.all({ sort: '-rank,title', limit: 20 });
            return [[rows.map(row => row.title), end - start], [last.map(row => row.rank), performance.now() - end]];
        }""", wanted)
    assert found[0] == [wanted], found
    assert sorted_[0] == sorted(sorted_[0], reverse=True) and len(sorted_[0]) == 20, sorted_
    edit(page, wanted, {"notes": "the needle"})
    settled(page)
    assert [row["notes"] for row in world.ask("GET", f"/v1/objects/tasks/{wanted.split()[1]}")[1:]] == ["the needle"]
    # The page's own copy is there at once where nobody answers.
    kept_offline(page)
    world.kill()
    started = time.monotonic()
    page.reload()
    page.wait_for_function("() => window.opened")
    opened = time.monotonic() - started
    sees(page, wanted, notes="the needle")
    return (f"{world.rows} rows: first copy {copied:.1f} s, found in {found[1]:.0f} ms, sorted in {sorted_[1]:.0f} ms, "
            f"opened again without the gateway in {opened:.1f} s")


test_one_of_many_rows_is_found_sorted_and_edited.has_many = True


def test_a_list_of_which_rows_move_while_it_is_read_misses_none(world):
    profile = world.profile()
    deleted = []

    def handle(route):
        if "offset=999" in route.request.url and not deleted:
            deleted.append(world.ask("DELETE", "/v1/objects/tasks/5"))
        route.continue_()
    profile.route("**/v1/objects/tasks?**", handle)
    page = world.open(profile)
    page.wait_for_function("() => seen.tasks?.length === 2299")
    assert deleted and len(set(page.evaluate("() => seen.tasks.map(row => row.id)"))) == 2299


test_a_list_of_which_rows_move_while_it_is_read_misses_none.seed = 2300


def test_the_module_runs_under_the_policy_of_built_in_pages(world):
    policy = ("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
              "worker-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
              "require-trusted-types-for 'script'")

    def handle(route):
        answer = route.fetch()
        route.fulfill(response=answer, headers={**answer.headers, "content-security-policy": policy})
    profile = world.profile()
    profile.route(lambda url: "/v1" not in url and "token=" not in url, handle)
    page = world.open(profile)
    sees(page, "Task 1")
    page.wait_for_function("() => navigator.serviceWorker.ready.then(() => true)")
    save(page, {"title": "under it", "list": 1})
    settled(page)
    assert page.evaluate("() => problems") == []


def test_two_edits_at_once_are_one_write_and_both_stay(world):
    page = world.open()
    sees(page, "Task 1")
    page.evaluate(
        "() => Promise.all([tasks.save({ id: 1, notes: 'a' }), tasks.save({ id: 1, rank: 3 }), tasks.save({ title: 'b', list: 1 }),"
        " tasks.save({ id: 'none', title: 'c' }).catch(() => {}), tasks.save({ title: 'd', list: 1 })])")
    settled(page)
    [task] = titled(world.records(), "Task 1")
    assert (task["notes"], task["rank"]) == ("a", 3)
    assert len(titled(world.records(), "b")) == len(titled(world.records(), "d")) == 1


# Away

def test_a_page_goes_on_without_the_gateway_and_comes_back(world):
    profile = world.profile()
    page = world.open(profile)
    sees(page, "Task 1")
    page.reload()
    kept_offline(page)
    sees(page, "Task 1")
    world.kill()
    save(page, {"title": "made offline", "list": 1})
    page.wait_for_function(AWAY)
    edit(page, "Task 2", {"notes": "edited offline"})
    page.evaluate("() => tasks.remove(3)")
    page.reload()
    sees(page, "made offline")
    sees(page, "Task 2", notes="edited offline")
    is_gone(page, "Task 3")
    edit(page, "made offline", {"done": True})
    page.close()
    page = profile.new_page()
    page.goto(world.url)
    sees(page, "made offline", done=True)
    world.start()
    settled(page)
    records = world.records()
    assert len(titled(records, "made offline")) == 1 and titled(records, "made offline")[0]["done"] is True
    assert titled(records, "Task 2")[0]["notes"] == "edited offline"
    assert not titled(records, "Task 3")
    assert len(records) == 5, records


def test_a_page_goes_on_when_the_browser_is_offline(world):
    profile = world.profile()
    page = world.open(profile)
    sees(page, "Task 1")
    page.reload()
    kept_offline(page)
    profile.set_offline(True)
    save(page, {"title": "made offline", "list": 1})
    page.reload()
    sees(page, "made offline")
    page.wait_for_function("() => local.status.pending === 1")
    profile.set_offline(False)
    settled(page)
    assert len(titled(world.records(), "made offline")) == 1


# What the page waits half a minute for comes soon; the first stream of events is a connection that nobody serves any more.
SILENT = """
const [later, Real] = [window.setTimeout, window.EventSource];
window.setTimeout = (work, time, ...more) => later(work, time === 30000 ? 300 : time, ...more);
window.EventSource = class extends EventTarget {
    static OPEN = 1;
    constructor(place) {
        super();
        window.EventSource = Real;
        this.readyState = OPENS;
        if (OPENS) later(() => { this.onopen(); this.dispatchEvent(new MessageEvent("ready", { data: "{}" })); });
    }
    close() { this.readyState = 2; }
};
"""


def test_events_that_do_not_begin_are_asked_for_again(world):
    page = world.open(script=SILENT.replace("OPENS", "0"))
    sees(page, "Task 1")
    world.ask("PATCH", "/v1/objects/tasks/1", {"notes": "heard"})
    sees(page, "Task 1", notes="heard")


def test_events_are_asked_for_again_where_the_gateway_does_not_answer(world):
    page = world.open(script=SILENT.replace("OPENS", "1"))
    sees(page, "Task 1")
    world.kill()
    save(page, {"title": "waits", "list": 1})
    page.wait_for_function(AWAY)
    world.start()
    settled(page)
    world.ask("PATCH", "/v1/objects/tasks/1", {"notes": "heard"})
    sees(page, "Task 1", notes="heard")


def test_the_service_worker_is_told_again_when_the_gateway_is_back(world):
    page = world.open(script="window.told = []; window.isLost = true; const { prototype } = ServiceWorker, { postMessage } = prototype;"
                             "prototype.postMessage = function (message) {"
                             " told.push(message.keep); if (!isLost) postMessage.call(this, message); };")
    sees(page, "Task 1")
    page.wait_for_function("() => told.length && navigator.serviceWorker.controller")
    before = page.evaluate("() => { window.isLost = false; return told.length; }")
    world.kill()
    save(page, {"title": "waits", "list": 1})
    page.wait_for_function(AWAY)
    world.start()
    page.wait_for_function("before => told.length > before", arg=before)
    kept_offline(page)
    settled(page)


def test_objects_that_name_each_other_are_sent_in_order(world):
    page = world.open()
    sees(page, "Task 1")
    world.kill()
    page.evaluate(
        "async () => { const task = await tasks.save({ title: 'child' });"
        " const list = await lists.save({ title: 'parent' }); await tasks.save({ ...task, list: list.id }); }")
    world.start()
    settled(page)
    [parent] = titled(world.records("lists"), "parent")
    assert titled(world.records(), "child")[0]["list"] == parent["id"]


def test_with_a_gateway_that_pushes_at_once_references_are_fixed(world):
    page = world.open()
    sees(page, "Task 1")
    world.kill()
    page.evaluate(
        "async () => { const list = await lists.save({ title: 'parent' });"
        " for (const title of ['a', 'b', 'c']) await tasks.save({ title, list: list.id }); }")
    world.start()
    settled(page)
    page.wait_for_function("() => seen.tasks.filter(row => row.list === 6 && typeof row.id === 'number').length === 3")
    assert page.evaluate("() => seen.tasks.length") == 8
    assert [task["list"] for task in world.ask_source("GET", "/tasks/")[1]["results"][5:]] == [6, 6, 6]


test_with_a_gateway_that_pushes_at_once_references_are_fixed.options = ["--watch"]


def test_what_was_created_and_deleted_offline_is_never_sent(world):
    page = world.open()
    sees(page, "Task 1")
    world.kill()
    page.evaluate("async () => { const row = await tasks.save({ title: 'never' }); await tasks.remove(row.id); }")
    page.wait_for_function(AWAY)
    assert page.evaluate("() => local.status.pending") == 0
    world.start()
    settled(page)
    assert not titled(world.records(), "never")


def test_a_page_that_was_closed_for_long_lets_go_of_what_is_not_there(world):
    profile = world.profile()
    page = world.open(profile)
    sees(page, "Task 5")
    settled(page)
    page.close()
    world.ask("DELETE", "/v1/objects/tasks/5")
    world.ask("PATCH", "/v1/objects/tasks/4", {"notes": "meanwhile"})
    world.kill()
    world.start()
    page = world.open(profile)
    sees(page, "Task 4", notes="meanwhile")
    is_gone(page, "Task 5")


def test_events_that_were_missed_while_closed_are_made_up_for(world):
    profile = world.profile()
    page = world.open(profile)
    sees(page, "Task 5")
    settled(page)
    page.close()
    world.ask("DELETE", "/v1/objects/tasks/5")
    page = profile.new_page()
    listings = []
    page.on("request", lambda request: "meta=true" in request.url and listings.append(request.url))
    page.goto(world.url)
    page.wait_for_function("() => window.opened")
    is_gone(page, "Task 5")
    assert not listings, listings


def test_a_gateway_with_another_token_is_said_and_the_link_goes_on(world):
    profile = world.profile()
    page = world.open(profile)
    sees(page, "Task 1")
    page.reload()
    kept_offline(page)
    world.kill()
    save(page, {"title": "waits", "list": 1})
    world.start(token_file="another")
    page.wait_for_function("() => local.status.state === 'signedOut'")
    assert "open the link" in page.evaluate("() => local.status.message")
    page.reload()
    sees(page, "waits")
    other = profile.new_page()
    other.goto(world.link)
    other.wait_for_function("() => window.opened")
    settled(other)
    assert len(titled(world.records(), "waits")) == 1


def test_another_gateway_at_the_same_address_gets_nothing(world):
    page = world.open()
    sees(page, "Task 1")
    world.kill()
    save(page, {"title": "for the first one", "list": 1})
    # By the same name, at the same place: of another API, and of the same with another store.
    for base, store in ((world.base + "/v2", "tasks.db"), (world.base, "others.db")):
        world.write_routes(base, ROUTES.replace("tasks.db", store))
        world.start()
        page.wait_for_function("() => local.status.state === 'foreign'")
        assert not titled(world.records(), "for the first one")
        world.kill()
        page.wait_for_function(AWAY)
    world.write_routes(world.base)
    world.start()
    page.wait_for_function(SENT)
    assert len(titled(world.records(), "for the first one")) == 1


def test_a_create_of_an_entity_that_the_gateway_has_no_more_is_kept(world):
    page = world.open()
    sees(page, "Task 1")
    world.kill()
    save(page, {"title": "kept", "list": 1})
    page.wait_for_function(AWAY)
    world.write_routes(world.base, ROUTES.split("  tasks:")[0])
    world.start()
    page.wait_for_function("() => local.status.refused === 1")
    world.kill()
    world.write_routes(world.base)
    world.start()
    page.wait_for_function("() => local.status.state === 'connected'")
    page.evaluate("() => local.retry()")
    settled(page)
    assert len(titled(world.records(), "kept")) == 1


# Conflicts

def in_conflict(world, mine, theirs):
    """A page whose edit of task 1 waits while somebody else edits it; `theirs` None deletes it."""
    page = world.open()
    sees(page, "Task 1")
    world.kill()
    if mine is None:
        page.evaluate("() => tasks.remove(1)")
    else:
        edit(page, "Task 1", mine)
    page.wait_for_function(AWAY)
    # The gateway comes back, and somebody is faster than the page.
    page.context.set_offline(True)
    world.start()
    if theirs is None:
        world.ask("DELETE", "/v1/objects/tasks/1")
    else:
        world.ask("PATCH", "/v1/objects/tasks/1", theirs)
    page.context.set_offline(False)
    return page


def decide(page, decision):
    page.wait_for_function("() => local.status.conflicts === 1")
    [item] = page.evaluate("() => local.conflicts()")
    page.evaluate("async decision => local.resolve((await local.conflicts())[0], decision)", decision)
    settled(page)
    assert page.evaluate("() => local.status.conflicts") == 0
    return item


def test_edits_of_different_members_come_together(world):
    page = in_conflict(world, {"notes": "mine"}, {"title": "theirs"})
    settled(page)
    [record] = titled(world.records(), "theirs")
    assert record["notes"] == "mine", record


def test_a_conflict_of_two_pages_decided_for_mine(world):
    page = in_conflict(world, {"notes": "mine", "rank": 1}, {"notes": "theirs"})
    item = decide(page, "mine")
    assert (item["fields"], item["mine"], item["theirs"]["notes"]) == (["notes"], {"notes": "mine"}, "theirs"), item
    [record] = titled(world.records(), "Task 1")
    assert (record["notes"], record["rank"]) == ("mine", 1), record


def test_a_conflict_of_two_pages_decided_for_theirs(world):
    page = in_conflict(world, {"notes": "mine", "rank": 1}, {"notes": "theirs"})
    decide(page, "theirs")
    [record] = titled(world.records(), "Task 1")
    assert (record["notes"], record["rank"]) == ("theirs", 1), record
    sees(page, "Task 1", notes="theirs", rank=1)


def test_a_conflict_of_two_pages_decided_for_something_else(world):
    page = in_conflict(world, {"notes": "mine"}, {"notes": "theirs"})
    decide(page, {"notes": "both"})
    assert titled(world.records(), "Task 1")[0]["notes"] == "both"


def test_an_edit_of_what_somebody_deleted_makes_it_again_or_not(world):
    page = in_conflict(world, {"notes": "mine"}, None)
    decide(page, "mine")
    [record] = titled(world.records(), "Task 1")
    assert record["notes"] == "mine" and record["id"] != 1, record
    assert page.evaluate("async () => (await tasks.get(1)).notes") == "mine"


def test_a_delete_of_what_somebody_edited_is_decided(world):
    for decision, left in (("mine", 0), ("theirs", 1)):
        world.ask("PATCH", "/v1/objects/tasks/1", {"notes": "before"})
        page = in_conflict(world, None, {"notes": "theirs"})
        decide(page, decision) if left == 0 else decide_theirs_of_delete(page)
        found = titled(world.records(), "Task 1")
        assert len(found) == left, (decision, found)
        if left == 0:
            world.ask("POST", "/v1/objects/tasks/1/discard")
        page.context.close()
        world.contexts.remove(page.context) if page.context in world.contexts else None


def decide_theirs_of_delete(page):
    item = decide(page, "theirs")
    assert item["mine"] is None
    sees(page, "Task 1", notes="theirs")


# Lost answers

LOSING = """
window.losing = null;
const real = window.fetch;
window.fetch = async (path, options) => {
    const answer = await real(path, options);
    if (options?.method !== window.losing) return answer;
    window.losing = null;
    await window.meanwhile();
    throw new TypeError("the answer is lost");
};
"""


def losing(world, method, meanwhile=lambda: None):
    """A page whose next request with this method is done, and its answer lost; `meanwhile` happens in between."""
    page = world.open(script=LOSING)
    sees(page, "Task 1")
    page.expose_function("meanwhile", meanwhile)
    page.evaluate("method => { window.losing = method; }", method)
    return page


def test_a_create_whose_answer_was_lost_happens_once(world):
    page = losing(world, "POST")
    save(page, {"title": "once", "list": 1})
    settled(page)
    assert len(titled(world.records(), "once")) == 1
    sees(page, "once")


def test_a_create_that_is_edited_after_its_answer_was_lost(world):
    page = losing(world, "POST", world.kill)
    save(page, {"title": "once", "list": 1})
    page.wait_for_function(AWAY)
    edit(page, "once", {"done": True})
    world.start()
    settled(page)
    [record] = titled(world.records(), "once")
    assert record["done"] is True
    sees(page, "once", done=True)


def test_a_create_that_is_deleted_after_its_answer_was_lost(world):
    page = losing(world, "POST", world.kill)
    row = save(page, {"title": "once", "list": 1})
    page.wait_for_function(AWAY)
    page.evaluate("id => tasks.remove(id)", row["id"])
    is_gone(page, "once")
    world.start()
    settled(page)
    assert not titled(world.records(), "once")
    is_gone(page, "once")


def test_a_create_whose_answer_was_lost_and_that_has_been_pushed_is_shown_once(world):
    def pushed():
        world.ask("POST", "/v1/push", {})
        world.kill()
    page = losing(world, "POST", pushed)
    row = save(page, {"title": "once", "list": 1})
    page.wait_for_function(AWAY)
    page.evaluate(
        "() => { window.most = 0; tasks.subscribe({ where: { title: 'once' } }, rows => {"
        " window.most = Math.max(window.most, rows.length); }); }")
    world.start()
    settled(page)
    page.wait_for_function("() => window.seen.tasks.find(row => row.title === 'once')?.id === 6")
    assert page.evaluate("() => window.most") == 1
    assert page.evaluate("async id => (await tasks.get(id)).id", row["id"]) == 6


def test_an_edit_whose_answer_was_lost_does_not_undo_a_later_one(world):
    page = losing(world, "PATCH", lambda: world.ask("PATCH", "/v1/objects/tasks/1", {"notes": "later"}))
    edit(page, "Task 1", {"notes": "first"})
    page.wait_for_function("() => local.status.conflicts === 1")
    assert titled(world.records(), "Task 1")[0]["notes"] == "later"


def test_an_edit_after_one_whose_answer_was_lost_is_no_conflict(world):
    page = losing(world, "PATCH", world.kill)
    edit(page, "Task 1", {"notes": "first"})
    page.wait_for_function(AWAY)
    edit(page, "Task 1", {"notes": "second"})
    world.start()
    settled(page)
    assert page.evaluate("() => local.status.conflicts") == 0
    assert titled(world.records(), "Task 1")[0]["notes"] == "second"


def test_a_delete_whose_answer_was_lost_is_done(world):
    page = losing(world, "DELETE")
    page.evaluate("() => tasks.remove(1)")
    settled(page)
    assert not titled(world.records(), "Task 1")


def test_a_page_that_is_closed_while_it_sends_goes_on_when_it_is_opened(world):
    profile = world.profile()
    page = world.open(profile)
    sees(page, "Task 1")
    world.kill()
    page.evaluate("async () => { for (let count = 0; count < 60; count += 1) await tasks.save({ title: `many ${count}`, list: 1 }); }")
    for _ in range(3):
        world.start() if world.gateway is None else None
        page.wait_for_function("before => local.status.pending < before", arg=page.evaluate("() => local.status.pending"))
        page.close()
        page = profile.new_page()
        page.goto(world.url)
        page.wait_for_function("() => window.opened")
    settled(page)
    titles = [record["title"] for record in world.records() if record["title"].startswith("many")]
    assert sorted(titles) == sorted(f"many {count}" for count in range(60)), titles


def test_pages_write_while_the_gateway_is_killed_again_and_again(world):
    writes_while_killed(world)


def test_pages_write_while_a_gateway_that_pushes_is_killed_again_and_again(world):
    acknowledged = writes_while_killed(world)
    deadline = time.monotonic() + 120
    while sum(entity["changed"] for entity in world.ask("GET", "/v1/status")[1]["entities"].values()):
        assert time.monotonic() < deadline, world.ask("GET", "/v1/pending")[1]["items"][:3]
        world.ask("POST", "/v1/push", {})
    titles, path = [], "/tasks/"
    while path:
        answer = world.ask_source("GET", path)[1]
        titles += [task["title"] for task in answer["results"] if task["title"].startswith("page ")]
        path = answer["next"] and answer["next"].split("/api", 1)[1]
    assert set(acknowledged) <= set(titles) and len(titles) == len(set(titles)), (len(titles), len(set(titles)))
    world.said += f"; {len(titles)} at the API's server, none twice"


test_pages_write_while_a_gateway_that_pushes_is_killed_again_and_again.options = ["--watch"]


def writes_while_killed(world):
    chance = random.Random(23)
    profiles = [world.profile() for _ in range(4)]
    pages = [world.open(profile) for profile in profiles for _ in range(2)]
    for number, page in enumerate(pages):
        sees(page, "Task 1")
        page.evaluate(
            """number => { window.acknowledged = []; window.over = false; window.ended = (async () => {
                for (let count = 0; !window.over; count += 1) {
                    const title = `page ${number}, object ${count}`;
                    const row = await tasks.save({ title, list: 1, rank: 0 });
                    await new Promise(resolve => setTimeout(resolve, 20 * Math.random()));
                    await tasks.save({ ...row, rank: 1 });
                    if (count % 5 === 4) await tasks.remove(row.id); else window.acknowledged.push(title);
                    await new Promise(resolve => setTimeout(resolve, 300 * Math.random()));
                }
            })(); }""", number)
    for _ in range(world.rounds):
        pages[0].wait_for_timeout(chance.uniform(50, 700))
        world.kill()
        world.start()
    for page in pages:
        page.evaluate("() => { window.over = true; return window.ended; }")
    acknowledged = [title for page in pages for title in page.evaluate("() => window.acknowledged")]
    for page in pages:
        page.wait_for_function(SENT, timeout=120000)
        assert page.evaluate("() => local.conflicts().then(items => items.filter(item => item.place === 'page'))") == []
    ours = [record for record in world.records() if record["title"].startswith("page ")]
    titles = [record["title"] for record in ours]
    lost = set(acknowledged) - set(titles)
    assert not lost and len(titles) == len(set(titles)), (lost, len(titles), len(set(titles)))
    assert all(record["rank"] == 1 for record in ours)
    # And what every page shows is that.
    for page in pages:
        page.wait_for_function("count => seen.tasks.length === count", arg=len(ours) + 5, timeout=60000)
    world.said = f"{world.rounds} kills, {len(acknowledged)} acknowledged, 0 lost, 0 twice"
    return acknowledged


# Browsers that can less

def test_a_browser_without_what_is_needed_is_told_so(world):
    page = world.open(script="delete Navigator.prototype.locks; delete window.EventSource;")
    said = page.text_content("#said")
    assert said == ("this browser is too old for this page: it lacks EventSource, to hear of changes; "
                    "navigator.locks, to send each write once"), said


def test_a_browser_without_indexeddb_works_and_says_that_nothing_is_kept(world):
    page = world.open(script="Object.defineProperty(window, 'indexedDB', { value: undefined });")
    sees(page, "Task 1")
    save(page, {"title": "in memory", "list": 1})
    edit(page, "in memory", {"done": True})
    settled(page)
    assert page.evaluate("() => local.status.storage") == "memory"
    assert titled(world.records(), "in memory")[0]["done"] is True
    world.kill()
    save(page, {"title": "later", "list": 1})
    assert "failed" in page.evaluate("() => tasks.save({ id: 'none', title: 'x' }).catch(error => 'failed ' + error.code)")
    save(page, {"title": "later still", "list": 1})
    world.start()
    settled(page)
    assert len(titled(world.records(), "later")) == len(titled(world.records(), "later still")) == 1
    names = page.evaluate("() => missing().map(each => [each.name, each.needed])")
    assert names == [["indexedDB", False]], names


FULL = """
window.isFull = false;
const put = IDBObjectStore.prototype.put;
IDBObjectStore.prototype.put = function (...given) {
    if (window.isFull) throw new DOMException("no room", "QuotaExceededError");
    return put.apply(this, given);
};
"""


def test_where_the_browser_has_no_room_a_save_says_so_and_nothing_is_lost(world):
    page = world.open(script=FULL)
    sees(page, "Task 1")
    world.kill()
    save(page, {"title": "kept before", "list": 1})
    page.wait_for_function(AWAY)
    page.evaluate("() => { window.isFull = true; }")
    message = page.evaluate("() => tasks.save({ title: 'no room', list: 1 }).catch(error => `${error.code}: ${error.message}`)")
    assert message.startswith("quota: the browser has no more room") and "save again" in message, message
    assert page.evaluate("() => [window.problems.some(each => each.code === 'quota'), local.status.storage]") == [True, "full"]
    assert page.evaluate("() => tasks.all().then(rows => rows.some(row => row.title === 'no room'))") is False
    page.evaluate("() => { window.isFull = false; }")
    save(page, {"title": "room again", "list": 1})
    world.start()
    settled(page)
    assert page.evaluate("() => local.status.storage") == "kept"
    assert len(titled(world.records(), "kept before")) == len(titled(world.records(), "room again")) == 1
    assert not titled(world.records(), "no room")


# The sample

def open_sample(world, **options):
    return world.open(wait="() => document.querySelectorAll('#tasks li').length > 0", **options)


def test_the_sample_creates_edits_ticks_deletes_and_sorts_by_keyboard(world):
    page = open_sample(world)
    page.focus("#title")
    page.keyboard.type("Buy milk")
    page.keyboard.press("Enter")
    row = page.get_by_label("Title of Buy milk")
    row.wait_for()
    row.focus()
    page.keyboard.press("End")
    page.keyboard.type(" and bread")
    page.keyboard.press("Enter")
    page.get_by_label("Title of Buy milk and bread").wait_for()
    page.focus("#status")
    box = page.get_by_label("Done: Buy milk and bread")
    box.focus()
    page.keyboard.press("Space")
    box.wait_for(state="detached")
    page.select_option("#filter", "all")
    page.select_option("#sort", "-rank,title")
    box.wait_for()
    page.wait_for_function("() => document.querySelector('#status').dataset.pending === '0'")
    assert titled(world.records(), "Buy milk and bread")[0]["done"] is True
    ranks = {record["title"]: record.get("rank") for record in world.records()}
    shown = page.eval_on_selector_all("#tasks .title", "all => all.map(each => each.value)")
    assert [ranks[title] for title in shown[:5]] == sorted((rank for rank in ranks.values() if rank is not None), reverse=True)
    page.get_by_label("Delete Buy milk and bread").focus()
    page.keyboard.press("Enter")
    box.wait_for(state="detached")
    page.wait_for_function("() => document.querySelector('#status').dataset.pending === '0'")
    assert not titled(world.records(), "Buy milk and bread")


def test_the_sample_works_offline_after_a_reload(world):
    profile = world.profile(color_scheme="dark")
    page = open_sample(world, context=profile)
    page.reload()
    kept_offline(page)
    world.kill()
    page.fill("#title", "Written on the train")
    page.press("#title", "Enter")
    page.get_by_label("Title of Written on the train").wait_for()
    page.reload()
    page.get_by_label("Title of Written on the train").wait_for()
    page.get_by_text("the gateway does not answer; go on working").wait_for()
    world.shoot(page, "sample-offline-dark")
    world.start()
    page.get_by_text("in step with the gateway").wait_for()
    page.wait_for_function("() => document.querySelector('#status').dataset.pending === '0'")
    assert len(titled(world.records(), "Written on the train")) == 1


def test_the_sample_lets_a_person_decide_a_conflict(world):
    page = open_sample(world)
    page.select_option("#filter", "all")
    page.get_by_label("Title of Task 1").wait_for()
    world.kill()
    page.get_by_label("Title of Task 1").fill("Mine")
    page.get_by_label("Title of Task 1").press("Enter")
    page.get_by_text("1 to be sent").wait_for()
    page.context.set_offline(True)
    world.start()
    world.ask("PATCH", "/v1/objects/tasks/1", {"title": "Theirs"})
    page.context.set_offline(False)
    button = page.get_by_role("button", name="Keep mine")
    button.wait_for()
    world.shoot(page, "sample-conflict-light")
    button.click()
    page.locator("#decisions").wait_for(state="hidden")
    page.wait_for_function("() => document.querySelector('#status').dataset.pending === '0'")
    assert len(titled(world.records(), "Mine")) == 1


def test_the_sample_shows_what_was_refused_though_an_earlier_look_ends_later(world):
    page, held = open_sample(world), []
    page.route("**/v1/rejected", lambda route: route.continue_() if held else held.append(route))
    with page.expect_request("**/v1/rejected"):
        world.ask("PATCH", "/v1/objects/tasks/2", {"notes": "changes how the gateway stands"})
    page.evaluate(
        "async () => { const { atmosphere } = await import('/atmosphere.js'); window.local = await atmosphere();"
        " await local.collection('tasks').save({ title: 'refused', modified: 'x' });"
        " await new Promise(done => local.subscribe(status => status.refused === 1 && done())); }")
    with page.expect_response("**/v1/rejected"):
        held[0].continue_()
    assert len(page.evaluate("() => local.conflicts()")) == 1
    page.locator("#decisions li").wait_for(timeout=2000)


def test_the_sample_has_no_findings_of_axe(world):
    for scheme in ("light", "dark"):
        page = open_sample(world, color_scheme=scheme)
        page.select_option("#filter", "all")
        save_refused = page.evaluate(
            "async () => { const { atmosphere } = await import('/atmosphere.js');"
            " return (await atmosphere()).collection('tasks').save({ title: 'refused', modified: 'x' }); }")
        assert save_refused
        page.locator("#decisions li").wait_for()
        world.shoot(page, f"sample-{scheme}")
        found = Axe().run(page).response["violations"]
        assert not found, [(each["id"], [node["html"] for node in each["nodes"]]) for each in found]
        page.get_by_role("button", name="Drop my change").click()
        page.locator("#decisions").wait_for(state="hidden")


def test_the_sample_shows_hostile_texts_as_texts(world):
    world.ask("PATCH", "/v1/objects/tasks/2", {"title": "<img src=x onerror=alert(1)>", "__proto__": {"done": True}})
    page = open_sample(world)
    page.get_by_label("Title of <img src=x onerror=alert(1)>").wait_for()
    assert page.locator("img").count() == 0


for test in [value for name, value in list(globals().items()) if name.startswith("test_the_sample")]:
    test.pages = SAMPLE


# Figures

def measure_edit_until_another_page_shows_it(world):
    one, other = world.open(), world.open()
    sees(one, "Task 1")
    sees(other, "Task 1")
    other.evaluate(
        "() => tasks.subscribe({ where: { id: 1 } }, ([row]) => { (window.times ??= {})[row.notes] = Date.now() + performance.now() % 1; })")
    times = []
    for count in range(100):
        note = f"note {count}"
        start = one.evaluate(
            "async notes => { const start = Date.now(); await tasks.save({ id: 1, notes }); return start; }", note)
        other.wait_for_function("note => window.times?.[note]", arg=note, polling=5)
        times.append(other.evaluate("note => window.times[note]", note) - start)
        settled(one)
    times.sort()
    return f"edit until another page shows it: p50 {times[50]:.0f} ms, p99 {times[98]:.0f} ms"


def run(world_of, name, work, options):
    world = world_of(
        *getattr(work, "options", []), pages=getattr(work, "pages", SITE), routes=getattr(work, "routes", ROUTES),
        seed=options.rows if hasattr(work, "has_many") else getattr(work, "seed", 5))
    world.rounds, world.rows, world.said = options.rounds, options.rows, ""

    def shoot(page, file):
        if options.screenshots:
            page.screenshot(path=f"{options.screenshots}/{file}.png", full_page=True)
    world.shoot = shoot
    started = time.monotonic()
    try:
        world.start()
        said = work(world) or world.said
        assert not world.errors, world.errors
        print(f"ok    {name} ({time.monotonic() - started:.1f} s){': ' + said if said else ''}", flush=True)
        return True
    except Exception:
        print(f"FAILED {name}", flush=True)
        traceback.print_exc()
        for context in world.contexts:
            for page in context.pages:
                try:
                    print(page.evaluate("() => ({ status: window.local?.status, problems: window.problems, tasks: window.seen?.tasks })"))
                except Exception as error:
                    print(error)
        return False
    finally:
        world.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("atmos")
    parser.add_argument("--screenshots")
    parser.add_argument("--only", default="")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--measure", action="store_true")
    options = parser.parse_args()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        kinds = ("test_", "measure_") if options.measure else ("test_",)
        works = [(name, work) for name, work in globals().items() if name.startswith(kinds) and options.only in name]

        def world_of(*arguments, **more):
            return World(options.atmos, browser, *arguments, **more)
        results = [run(world_of, name, work, options) for name, work in works]
        browser.close()
    print(f"{sum(results)} of {len(results)} passed")
    sys.exit(0 if results and all(results) else 1)


if __name__ == "__main__":
    main()
