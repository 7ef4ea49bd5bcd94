#!/usr/bin/env python3
"""Proves that the simulation finds faults: builds a copy of the package with deliberate faults in it, and counts how
many seeds it takes to notice each.

    Scripts/mutations.py            all faults that were noticed once; ends with 1 where one is not found
    Scripts/mutations.py NAME...    only these
    Scripts/mutations.py --check    only tells whether every fault still fits the sources
    Scripts/mutations.py --build    only builds the copy, and says where its program is

SEEDS=n bounds the seeds for each (1600), JOBS=n runs as many at a time (1). What none of these notices may be noticed by
a seed that is kept, for it failed once: the tests run them all. What is found is printed as the rows of the table in
docs/RELIABILITY.md.

The faults stand here and not in the sources: nothing of them is in any product. Each replaces one place, found by its
text, by the same with a question put in: `Fault.isOn("name")`, which the copy answers from its environment. Without a
fault the copy must keep every promise, which is tried first.
"""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COPY = ROOT / ".build" / "mutations"
LIMIT = int(os.environ.get("SEEDS", "1600"))
KEPT = ROOT / "Tests" / "Fixtures" / "simulation-seeds.txt"

# name: (file, what stands there, what the copy has instead), or several of these where one place alone is made good by
# another
FAULTS = {
    # What the totals of two pages do not tell, the number of rows tells at the end.
    "total-not-compared": [
        (
            "Sources/Atmosphere/Pull/Pages/MovedRows.swift",
            "guard lost > Int64(again) * Int64(step) else { return nil }",
            "guard !FAULT, lost > Int64(again) * Int64(step) else { return nil }",
        ),
        (
            "Sources/Atmosphere/Pull/Pages/MovedRows.swift",
            "guard rows < total else { return .everything }",
            "guard !FAULT, rows < total else { return .everything }",
        ),
    ],
    "overlap-not-compared": (
        "Sources/Atmosphere/Pull/Pages/MovedRows.swift",
        "guard !isSeen, stored.isFull || again > 0 else { return nil }",
        "guard !FAULT, !isSeen, stored.isFull || again > 0 else { return nil }",
    ),
    "cursor-past-a-gap": (
        "Sources/Atmosphere/Pull/Pages/Resource+KeptPlaces.swift",
        "case .number, .bodyLink, .headerLink: true",
        "case .number, .bodyLink, .headerLink: !FAULT",
    ),
    "candidate-of-the-last-page": (
        "Sources/Atmosphere/Pull/CursorTrust.swift",
        "listing.isFull && resource.deletes.field != nil",
        "!FAULT && listing.isFull && resource.deletes.field != nil",
    ),
    "marks-of-ended-processes-stay": (
        "Sources/Atmosphere/Push/Pusher.swift",
        "try await recoverMarks(of: waiting)",
        "if !FAULT { try await recoverMarks(of: waiting) }",
    ),
    "repetitions-not-counted": (
        "Sources/Atmosphere/Pull/Pages/MovedRows.swift",
        "let repeated = Int64(max(0, identifiers.countRepeated() - pushed))",
        "let repeated = FAULT ? 0 : Int64(max(0, identifiers.countRepeated() - pushed))",
    ),
    "unsent-has-base": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+LookedUp.swift",
        "written(theirs, beyond: sent, unseen: unseen + following, editedIn: object.record)",
        "(FAULT ? [] : written(theirs, beyond: sent, unseen: unseen + following, editedIn: object.record))",
    ),
    "skip-base-update": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Accepted.swift",
        "base: base, version: version, sequence: arrival,\n            stale: isShort",
        "base: FAULT ? object.meta.confirmed?.base ?? base : base, version: version, sequence: arrival,\n"
        "            stale: isShort",
    ),
    "drop-snapshot": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Accepted.swift",
        "let joined = rebase(object.record ?? whole, from: taken, onto: base)",
        "let joined = rebase(object.record ?? whole, from: FAULT ? object.record ?? whole : taken, onto: base)",
    ),
    "lost-create-waits": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Answered.swift",
        "let isCreate = object.meta.isLocalOnly && outgoing.evidence.mayHaveArrived",
        "let isCreate = !FAULT && object.meta.isLocalOnly && outgoing.evidence.mayHaveArrived",
    ),
    "duplicate-is-final": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Refused.swift",
        "if object.meta.isLocalOnly, mayBeThere || mayBeOfOwn(failure), canLookUp(attempt) {",
        "if !FAULT, object.meta.isLocalOnly, mayBeThere || mayBeOfOwn(failure), canLookUp(attempt) {",
    ),
    "used-key-carries-more": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Refused.swift",
        "if object.meta.isLocalOnly, resource.createHasKey, outgoing.evidence.mayHaveArrived || failure.status == 409 {",
        "if !FAULT, object.meta.isLocalOnly, resource.createHasKey, outgoing.evidence.mayHaveArrived || failure.status == 409 {",
    ),
    "after-unavailable": (
        "Sources/Atmosphere/Push/LaneExchange.swift",
        "if case .send(let verb, _) = order, reply.followsUnavailable {",
        "if !FAULT, case .send(let verb, _) = order, reply.followsUnavailable {",
    ),
    "adopt-theirs-as-base": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+LookedUp.swift",
        "var base = adopted(sent.first ?? theirs, theirs: theirs)",
        "var base = FAULT ? theirs : adopted(sent.first ?? theirs, theirs: theirs)",
    ),
    "empty-look-up-believed": (
        "Sources/Atmosphere/Change/ChangeEngine+Resending.swift",
        "return change.evidence != .inDoubt(isLookedFor: true)\n            ||",
        "return !FAULT && change.evidence != .inDoubt(isLookedFor: true)\n            || !FAULT &&",
    ),
    "gone-is-unsent": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Answered.swift",
        "may have been done before this one.\n        outgoing.remember(attempt)",
        "may have been done before this one.\n        if !FAULT { outgoing.remember(attempt) }",
    ),
    "action-hides-theirs": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Accepted.swift",
        "if attempt.action == nil, resource.carriesVersion(.update) { return [] }",
        "if FAULT || attempt.action == nil && resource.carriesVersion(.update) { return [] }",
    ),
    "made-anew-in-part": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+CreatedTwice.swift",
        "let theirs = found.isPartial ? found",
        "let theirs = found.isPartial && !FAULT ? found",
    ),
    "late-delete-of-former": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Live.swift",
        "if object.uri != update.uri {",
        "if !FAULT, object.uri != update.uri {",
    ),
    "passed-pages-in-cursor": (
        "Sources/Atmosphere/Pull/Pages/ListingNotes.swift",
        "if state.isPastFirst, begun < time, passed != .nothing { return nil }",
        "if !FAULT, state.isPastFirst, begun < time, passed != .nothing { return nil }",
    ),
    "create-now-over-edit": (
        "Sources/Atmosphere/Edit/SaveNow.swift",
        "if let here, let sent = write.sent.record {",
        "if !FAULT, let here, let sent = write.sent.record {",
    ),
    "refused-edit-is-rejected": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Refused.swift",
        "let isSuperseded = object.meta.revision != attempt.revision",
        "let isSuperseded = !FAULT && object.meta.revision != attempt.revision",
    ),
    "resend-unknown": (
        "Sources/Atmosphere/Change/ChangeEngine+Resending.swift",
        "switch recovery(of: attempt) {\n        case .lookUp, .readByID:\n            // It may",
        "switch FAULT ? Resource.Recovery.repeatSafely : recovery(of: attempt) {\n"
        "        case .lookUp, .readByID:\n            // It may",
    ),
    "sending-mark-forgotten": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Interrupted.swift",
        "let isLost = object.meta.isLocalOnly || !mayRepeat(attempt, of: object)\n        outgoing.phase = isLost",
        "let isLost = !FAULT && (object.meta.isLocalOnly || !mayRepeat(attempt, of: object))\n"
        "        outgoing.phase = isLost",
    ),
    "child-does-not-wait": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Sending.swift",
        "guard object.meta.waitsFor.isEmpty else { return .hold(.waitsForParents) }",
        "guard FAULT || object.meta.waitsFor.isEmpty else { return .hold(.waitsForParents) }",
    ),
    "compare-skipped": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Sending.swift",
        "case .compare, .token: return true",
        "case .compare, .token: return !FAULT",
    ),
    "old-page-accepted": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Shown.swift",
        "let isEarlier = theirs.sequence < confirmed.sequence",
        "let isEarlier = !FAULT && theirs.sequence < confirmed.sequence",
    ),
    "page-during-push-accepted": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Shown.swift",
        "guard case .sending = meta.outgoing?.phase else { return nil }",
        "guard !FAULT, case .sending = meta.outgoing?.phase else { return nil }",
    ),
    "pull-overwrites-edit": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Shown.swift",
        "plan = updated(object, confirmed, outgoing, theirs, key: key)\n",
        "plan = FAULT\n"
        "                    ? synchronized(object, confirmed, theirs) : updated(object, confirmed, outgoing, theirs, key: key)\n",
    ),
    "version-without-merge": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Shown.swift",
        "guard let record = theirs.record else {\n"
        "            return gone(object, confirmed, outgoing, sequence: theirs.sequence, key: key)\n"
        "        }\n",
        "guard let record = theirs.record else {\n"
        "            return gone(object, confirmed, outgoing, sequence: theirs.sequence, key: key)\n"
        "        }\n"
        "        if FAULT {\n"
        "            var kept = object\n"
        "            kept.meta.state = .updated(\n"
        "                .init(base: confirmed.base, version: theirs.version, sequence: theirs.sequence), outgoing)\n"
        "            return Plan(outcome: .put(kept))\n"
        "        }\n",
    ),
    "mine-wins-silently": (
        "Sources/Atmosphere/Change/ChangeEngine+Merging.swift",
        "guard clashes.isEmpty else {",
        "guard FAULT || clashes.isEmpty else {",
    ),
    "edit-after-delete-conflict-dropped": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Shown.swift",
        "switch resource.conflict.deletedThere {",
        "switch FAULT ? ConflictRules.DeleteRule.delete : resource.conflict.deletedThere {",
    ),
    "sending-mark-late": [
        (
            "Sources/Atmosphere/Push/LaneRunner.swift",
            "try transaction.put([synchronizer.openPages.numbered(marked, inquiry.sequence).meta])",
            "if !FAULT { try transaction.put([synchronizer.openPages.numbered(marked, inquiry.sequence).meta]) }",
        ),
        (
            "Sources/Atmosphere/Push/LaneExchange.swift",
            "do {\n            let reply = try answer.get()\n            synchronizer.note(await lane.uri, \"answered",
            "if FAULT, case .send(_, let snapshot) = order {\n"
            "            let sent = await lane.uri\n"
            "            try await synchronizer.store.write(.power, origin: .push) { transaction in\n"
            "                guard var late = try transaction.object(at: sent) else { return }\n"
            "                late.meta.outgoing?.phase = .sending(snapshot)\n"
            "                try transaction.put([late.meta])\n"
            "            }\n"
            "        }\n"
            "        do {\n            let reply = try answer.get()\n            synchronizer.note(await lane.uri, \"answered",
        ),
    ],
    "own-edit-is-theirs": (
        "Sources/AtmosphereStore/Change/Change.swift",
        "guard let record = snapshot.record, unanswered.last != record else { return }",
        "guard !FAULT, let record = snapshot.record, unanswered.last != record else { return }",
    ),
    "sending-mark-not-flushed": (
        "Sources/Atmosphere/Push/LaneRunner.swift",
        "let decisions = try await synchronizer.store.write(.power, origin: .push)",
        "let decisions = try await synchronizer.store.write(FAULT ? .process : .power, origin: .push)",
    ),
    "save-not-flushed": (
        "Sources/Atmosphere/Edit/LocalEdits.swift",
        "let uri = try await store.write(.power, origin: .application) { transaction in",
        "let uri = try await store.write(FAULT ? .process : .power, origin: .application) { transaction in",
    ),
    "unavailable-means-undone": (
        "Sources/Atmosphere/Change/Answer.swift",
        "self = failure.status == 503 ? .failed",
        "self = failure.status == 503 && !FAULT ? .failed",
    ),
    "part-is-whole": [
        (
            "Sources/AtmosphereExchange/Evidence/ResourceClient+Answers.swift",
            "found.isPartial = operation?.shape == .partial",
            "found.isPartial = !FAULT && operation?.shape == .partial",
        ),
        (
            "Sources/Atmosphere/Change/Events/ChangeEngine+Accepted.swift",
            "if isShort { answer?.isPartial = true }",
            "if isShort, !FAULT { answer?.isPartial = true }",
        ),
    ],
    "asked-without-route": [
        (
            "Sources/Atmosphere/Pull/Pages/StoringPages.swift",
            "if resource.read.isOffered { reads.append(uri) }",
            "if FAULT || resource.read.isOffered { reads.append(uri) }",
        ),
        (
            "Sources/AtmosphereExchange/Requests/ResourceClient+Requests.swift",
            "guard resource.read.isOffered else {",
            "guard FAULT || resource.read.isOffered else {",
        ),
        (
            "Sources/Atmosphere/Read/ObjectRefresh.swift",
            "if question.isHere, !isUnlisted, !isCertain,",
            "if question.isHere, !isUnlisted, !FAULT || resource.read.isOffered, !isCertain,",
        ),
    ],
    "page-part-is-whole": (
        "Sources/Atmosphere/Pull/Pages/ReadingLists.swift",
        "if resource.list.shape == .partial {",
        "if !FAULT, resource.list.shape == .partial {",
    ),
    "web-page-is-success": (
        "Sources/AtmosphereExchange/Evidence/ResourceClient+Answers.swift",
        "guard reply.isSuccess, !reply.body.isEmpty else { return false }\n        let type",
        "guard !FAULT, reply.isSuccess, !reply.body.isEmpty else { return false }\n        let type",
    ),
    "if-match-left-out": (
        "Sources/AtmosphereExchange/Requests/ResourceClient+Requests.swift",
        "if case .ifMatch = resource.version, resource.matchable",
        "if !FAULT, case .ifMatch = resource.version, resource.matchable",
    ),
    "reference-not-rewritten": (
        "Sources/Atmosphere/Edit/ObjectWriter.swift",
        "for reference in resource.references where reference.entity == old.entity {",
        "for reference in resource.references where !FAULT && reference.entity == old.entity {",
    ),
    "cursor-with-each-page": (
        "Sources/Atmosphere/Pull/Pages/StoringPages.swift",
        "if resource.since?.isAscending == true, page.listing == nil, let reached = read.notes.tentative,\n"
        "            !resource.tellsGapsLate(before: read.next)\n        {",
        "if FAULT || resource.since?.isAscending == true, FAULT || page.listing == nil,\n"
        "            let reached = read.notes.tentative, FAULT || !resource.tellsGapsLate(before: read.next)\n        {",
    ),
    "partial-list-deletes": (
        "Sources/Atmosphere/Pull/Pages/ReadingLists.swift",
        "} catch let error as ParentGone {\n            // The parent may",
        "} catch where FAULT && !(error is ResumeRefused) && !(error is ParentGone) {\n"
        "            return PulledList.End()\n"
        "        } catch let error as ParentGone {\n            // The parent may",
    ),
    "absence-not-confirmed": [
        (
            "Sources/Atmosphere/Pull/Sweeps/RemovingObjects.swift",
            "var confirmsAbsence: Bool { resource.read.isOffered }",
            "var confirmsAbsence: Bool { !FAULT && resource.read.isOffered }",
        ),
        (
            "Sources/Atmosphere/Pull/Sweeps/AbsenceSweep.swift",
            "if !removing.confirmsAbsence, mayHaveMoved(listings) {",
            "if !FAULT, !removing.confirmsAbsence, mayHaveMoved(listings) {",
        ),
    ],
    "stranger-deletes": [
        (
            "Sources/Atmosphere/Pull/CursorTrust.swift",
            "guard let identity else { return false }\n        return [cursor.identity",
            "guard !FAULT, let identity else { return false }\n        return [cursor.identity",
        ),
        (
            "Sources/Atmosphere/Pull/CursorTrust.swift",
            "identity == nil || cursor.identity.hasSameBytes(as: identity) || acceptsOthers",
            "FAULT || identity == nil || cursor.identity.hasSameBytes(as: identity) || acceptsOthers",
        ),
        (
            "Sources/Atmosphere/Pull/Sweeps/AbsenceSweep.swift",
            "if !candidates.isEmpty { try await removing.checkStillOurselves() }",
            "if !FAULT, !candidates.isEmpty { try await removing.checkStillOurselves() }",
        ),
    ],
    "lost-create-pulled-twice": (
        "Sources/Atmosphere/Pull/Pages/LostCreates.swift",
        "guard !byValue.isEmpty else { return",
        "guard !FAULT, !byValue.isEmpty else { return",
    ),
    "tombstone-over-new-object": (
        "Sources/Atmosphere/Pull/Pages/StoringPages.swift",
        "let uri = item.isDeleted ? uri : try",
        "let uri = item.isDeleted && !FAULT ? uri : try",
    ),
    "read-does-not-clear-failure": (
        "Sources/Atmosphere/Push/LaneMachine.swift",
        "case .send, .lookUp, .confirmDelete:\n                end",
        "case .read where FAULT, .send, .lookUp, .confirmDelete:\n                end",
    ),
    "pause-outlives-clock": (
        "Sources/AtmosphereExchange/Transport/OriginGate.swift",
        "guard let pause, pause.start.age(at: environment.now()) != nil else { return nil }",
        "guard let pause, FAULT || pause.start.age(at: environment.now()) != nil else { return nil }",
    ),
    "live-unversioned-applied": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Live.swift",
        "guard let version, resource.version.order(confirmed.version, version) == .less else {",
        "guard FAULT || version.map({ resource.version.order(confirmed.version, $0) == .less }) == true else {",
    ),
    "live-patch-of-another-version": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Live.swift",
        "guard isMade(update, from: confirmed) else { return .fetch(\"made from another version\") }\n"
        "            let members = confirmed",
        "guard FAULT || isMade(update, from: confirmed) else {\n"
        "                return .fetch(\"made from another version\")\n"
        "            }\n"
        "            let members = confirmed",
    ),
    "lease-not-asked": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Sending.swift",
        "private var mustLease: Bool { resource.lease != nil }",
        "private var mustLease: Bool { !FAULT && resource.lease != nil }",
    ),
    "batch-results-by-place": (
        "Sources/AtmosphereExchange/Batches/ResourceClient+Batches.swift",
        "guard let list = results.array, list.count == items.count else { return nothing }\n"
        "            replies = list.map { Reply($0, rules) }",
        "guard let list = results.array, FAULT || list.count == items.count else { return nothing }\n"
        "            replies = list.map { Reply($0, rules) } + nothing.dropFirst(list.count)",
    ),
    "batch-missing-result-is-undone": (
        "Sources/Atmosphere/Push/BatchCarrier.swift",
        "message: ResourceClient.noResult, mayHaveArrived: true))",
        "message: ResourceClient.noResult, mayHaveArrived: !FAULT))",
    ),
    "action-sent-again": (
        "Sources/Atmosphere/Change/ChangeEngine+Resending.swift",
        "return resource.actions.first { $0.name == name }?.mayRepeat ?? false",
        "return FAULT || resource.actions.first { $0.name == name }?.mayRepeat ?? false",
    ),
    "two-pushers": (
        "Sources/Atmosphere/Push/PushTurn.swift",
        "guard lock != nil else {\n            throw",
        "guard FAULT || lock != nil else {\n            throw",
    ),
    "edit-now-over-theirs": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+SaveNow.swift",
        "guard let old = seen.record, let present = object.record, old != present else { return changes }",
        "guard !FAULT, let old = seen.record, let present = object.record, old != present else { return changes }",
    ),
    # What fresh seeds found first.
    "edit-now-over-sent": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+SaveNow.swift",
        "let isEditedHere = object.meta.revision != seen.meta.revision",
        "let isEditedHere = !FAULT && object.meta.revision != seen.meta.revision",
    ),
    "attempts-of-another-base": (
        "Sources/Atmosphere/Edit/ObjectWriter+Joining.swift",
        "let restated = engine.restated(outgoing, from: known.base, onto: confirmed.base)",
        "let restated = FAULT ? outgoing : engine.restated(outgoing, from: known.base, onto: confirmed.base)",
    ),
    "own-identifier-has-no-former": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+CreatedTwice.swift",
        "guard resource.looksUpByID else { return resource.lookupValue(of: record) }",
        "guard !FAULT, resource.looksUpByID else { return resource.lookupValue(of: record) }",
    ),
    "children-outlive-their-parent": (
        "Sources/Atmosphere/Edit/ObjectWriter.swift",
        "let isOwnName = resource.assigned == .client || object.meta.id.wireType == .temporary",
        "let isOwnName = FAULT || resource.assigned == .client || object.meta.id.wireType == .temporary",
    ),
    # By somebody who had not read what the simulation checks: each with the promise that it breaks, and where that shows.
    # Promise: exponential backoff, and a bounded number of tries in one push. Shows where the server fails a write with
    # 5xx, or loses its answer, several times in a row: the object is tried every second for ever, and never more rarely.
    "attempts-not-counted": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Answered.swift",
        "if failure.status != 503 { outgoing.retry.count(.answer) }",
        "if !FAULT, failure.status != 503 { outgoing.retry.count(.answer) }",
    ),
    # Promise: nothing is sent again before it is due. Shows where two objects have failed, one more often than the other:
    # the push that wakes for the one that is due sends the other as well, whose time has not come.
    "later-rounds-ignore-backoff": (
        "Sources/Atmosphere/Push/PushMachine.swift",
        "effects.append(.run(together, onDemand: isAtOnce))",
        "effects.append(.run(together, onDemand: FAULT || isAtOnce))",
    ),
    # Promise: a delete that was accepted for later (202) is asked for after a while. Shows where the server does it
    # some seconds later: eight reads in a row without any pause, and then the delete counts as refused.
    "begun-delete-asked-at-once": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+ConfirmedGone.swift",
        "outgoing.retry.due = retryAt(tries)",
        "outgoing.retry.due = FAULT ? nil : retryAt(tries)",
    ),
    # Promise: Retry-After is honoured. Shows where a 429 or a 503 asks for longer than the two seconds that are waited where
    # the server does not say how long: the next request comes within the pause.
    "retry-after-ignored": (
        "Sources/AtmosphereExchange/Requests/ResourceClient.swift",
        "let pause = await gate.pause(until: patience.retryAfter(reply.headers), isCut: isCut)",
        "let pause = await gate.pause(until: FAULT ? nil : patience.retryAfter(reply.headers), isCut: isCut)",
    ),
    # Promise: what was changed in the moment of the last pull, or became visible late, is asked for again. Shows where a
    # change gets a time before the cursor and is shown only after the pull that set the cursor: stale for ever.
    "cursor-without-overlap": (
        "Sources/AtmosphereRouting/Operations/Since.swift",
        "let moved = overlap > .zero ? start.moved(by: .zero - overlap) : start",
        "let moved = !FAULT && overlap > .zero ? start.moved(by: .zero - overlap) : start",
    ),
    # Promise: a cursor that is ahead of the server's clock is given up. Shows where that clock is set back by more than the
    # overlap between two pulls (or the next answer comes from a machine that is behind): what is changed until the clock has
    # come to the cursor again is never asked for.
    "clock-set-back-unnoticed": (
        "Sources/Atmosphere/Pull/Pages/ServerClock.swift",
        "guard !listing.underway.isFull, listing.underway.position == nil, !isTrial,",
        "guard !FAULT, !listing.underway.isFull, listing.underway.position == nil, !isTrial,",
    ),
    # Promise: the candidate of a listing is of its beginning. Shows where a listing is interrupted, an object on a page that
    # was read already changes, and the listing goes on later: the candidate of the page that it goes on with stands for the
    # earlier pages, too, and the change is never seen.
    "resumed-listing-raises-cursor": [
        (
            "Sources/Atmosphere/Pull/Pages/ReadingLists.swift",
            "if resource.since?.takesLastPage == true || index == 0 && listing.underway.position == nil {",
            "if resource.since?.takesLastPage == true || index == 0 && (FAULT || listing.underway.position == nil) {",
        ),
        (
            "Sources/Atmosphere/Pull/Pages/StoringPages.swift",
            "read.listing.underway.position == nil || isAscending\n        else { return page }",
            "FAULT || read.listing.underway.position == nil || isAscending\n        else { return page }",
        ),
    ],
    # Promise: a list of which something was left out has not come to its end. Shows where a row could not be read or decided,
    # such as one whose push is on the wire where no single object can be read: the cursor goes on over it, and what it said
    # is never asked for again.
    "cursor-past-what-was-skipped": (
        "Sources/Atmosphere/Pull/CompletingLists.swift",
        "if isSkipped {\n",
        "if isSkipped, !FAULT {\n",
    ),
    # Promise: what refers to an object that is created once more gets its new identifier. Shows where a child was edited, and
    # its parent is deleted on the server and created anew from here after that: the child is sent with the identifier of the
    # deleted one.
    "anew-holds-nobody": (
        "Sources/Atmosphere/Edit/ObjectWriter.swift",
        "if wasKnown, object.meta.isLocalOnly { try hold(whatRefersTo: new) }",
        "if !FAULT, wasKnown, object.meta.isLocalOnly { try hold(whatRefersTo: new) }",
    ),
    # The same, the other way round. Shows where the server has deleted a parent and its child, both were edited here, and the
    # parent is created anew first: the child is created below what is gone.
    "anew-waits-for-nobody": (
        "Sources/Atmosphere/Edit/ObjectWriter.swift",
        "if wasKnown, object.meta.isLocalOnly { object.meta.waitsFor = try unknownReferences(of: object) }",
        "if !FAULT, wasKnown, object.meta.isLocalOnly { object.meta.waitsFor = try unknownReferences(of: object) }",
    ),
    # Promise: references follow an identifier. Shows where the server gives an object that was known another identifier: what
    # refers to it here keeps the old one, and goes back with it.
    "rename-leaves-references": (
        "Sources/Atmosphere/Edit/ObjectWriter.swift",
        "if isRenamed { try rewriteKnown(from: uri, to: new, id: object.meta.id) }",
        "if isRenamed, !FAULT { try rewriteKnown(from: uri, to: new, id: object.meta.id) }",
    ),
    # Promise: the old address stays an alias of the object. Shows where an update makes the server give the object another
    # identifier, as one that is made of the title: the answer counts as one about something else, the object is read under its
    # old identifier, and vanishes here with what refers to it.
    "rename-by-update-ignored": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Accepted.swift",
        "guard attempt.action == nil, resource.update.id != nil || !leavesOut(sent, answer, before: before) else {",
        "guard !FAULT, attempt.action == nil, resource.update.id != nil || !leavesOut(sent, answer, before: before) else {",
    ),
    # Promise: absence is confirmed. Shows where no single object can be read and a row moves to a page that was read
    # already: the second listing shows it, and it is removed all the same.
    "second-listing-not-believed": (
        "Sources/Atmosphere/Pull/Sweeps/AbsenceSweep.swift",
        "!unchanged.contains($0.scope) })\n            candidates = try await absent(listing, silent)",
        "!unchanged.contains($0.scope) })\n            if !FAULT { candidates = try await absent(listing, silent) }",
    ),
    # Promise: no row is missing in silence. Shows where a listing is interrupted and rows have moved before it goes on: it
    # ends there as if it were complete, in place of beginning anew, and what follows is never listed.
    "resumed-over-moved-rows": (
        "Sources/Atmosphere/Pull/Pages/ReadingLists.swift",
        "if ended.hasMovedMeanwhile { throw ResumeRefused(scope: listing.scope) }",
        "if !FAULT, ended.hasMovedMeanwhile { throw ResumeRefused(scope: listing.scope) }",
    ),
    # Promise: after a success that shows too little the server is read, whatever happens. Shows where that read fails, or the
    # process ends before it: what was sent counts as what the server has, though it wrote it otherwise or not at all.
    "read-not-owed": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Accepted.swift",
        "return owing(plan, .init(sent: sent, before: before, action: attempt.action), key: key)",
        "return FAULT ? plan : owing(plan, .init(sent: sent, before: before, action: attempt.action), key: key)",
    ),
    # The same promise. Shows where such a read is owed (it failed), and the object is saved meanwhile with what it has, or is
    # edited and edited back: it counts as synchronized, and nobody reads it any more.
    "undo-forgets-owed-read": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Edited.swift",
        "if outgoing.phase == .waiting, outgoing.unanswered.isEmpty, outgoing.unverified == nil,\n                meta.uploads.isEmpty,",
        "if outgoing.phase == .waiting, outgoing.unanswered.isEmpty, FAULT || outgoing.unverified == nil,\n                meta.uploads.isEmpty,",
    ),
    # Promise: a member that did not take is reported, and the edit kept. Shows where the server accepts a write and leaves a
    # member as it was, as its answer or the read behind it shows: the edit is dropped without a word.
    "did-not-take-is-not-told": [
        (
            "Sources/Atmosphere/Change/Events/ChangeEngine+Accepted.swift",
            "if !isShort {\n",
            "if !FAULT, !isShort {\n",
        ),
        (
            "Sources/Atmosphere/Change/Events/ChangeEngine+Verified.swift",
            "guard !ignored.isEmpty else { return remote(theirs, over: object, uri: uri, key: key) }",
            "guard !FAULT, !ignored.isEmpty else { return remote(theirs, over: object, uri: uri, key: key) }",
        ),
    ],
    # Promise: what was sent is frozen until its answer. Shows where an object is edited while its create is on the wire: the
    # mark is gone, the answer with the identifier counts for nothing, and the create goes once more. Of an update the own
    # first edit is taken for theirs.
    "edit-unmarks-sending": (
        "Sources/AtmosphereStore/Change/Change.swift",
        "case .rejected, .waiting:\n            outgoing.phase = .waiting",
        "case .sending where FAULT, .rejected, .waiting:\n            outgoing.phase = .waiting",
    ),
    # Promise: no acknowledged write is lost. Shows where an object is edited or deleted while a synchronous save of it
    # (editNow) is on the wire: the answer is stored over that.
    "edit-under-edit-now-lost": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+SaveNow.swift",
        "guard here.meta.revision != before.meta.revision else { return object }",
        "guard !FAULT, here.meta.revision != before.meta.revision else { return object }",
    ),
    # Promise: a new server version of a locally deleted object is decided by the policy (`ask`, `recreate`). Shows where
    # another client edits what was deleted here and is not deleted there yet: the delete goes on over that edit unasked.
    "delete-over-their-edit": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Shown.swift",
        "if isUntouched(theirs, since: confirmed) || isOwn(record, confirmed.base, outgoing) {",
        "if FAULT || isUntouched(theirs, since: confirmed) || isOwn(record, confirmed.base, outgoing) {",
    ),
    # Promise: at most one server object per local create. Shows where the process ends while a create is on the wire that
    # arrives, or is shown, only after the first look-up: it counts as never sent, and is sent again at once; and where that is
    # refused as a duplicate it is rejected, and not looked up.
    "recovered-create-never-arrived": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Interrupted.swift",
        "outgoing.evidence.lose()\n        if !isLost, attempt.upload == nil",
        "if !FAULT { outgoing.evidence.lose() }\n        if !isLost, attempt.upload == nil",
    ),
    # Promise: an own edit is no news, and no acknowledged write is lost. Shows where the process ends while an update is on
    # the wire that has arrived, and the member is then edited again, which clashes with itself, or set back, which is then
    # nothing to send, so that the first edit comes back.
    "recovered-update-not-remembered": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Interrupted.swift",
        "if !isLost, attempt.upload == nil { outgoing.remember(attempt) }",
        "if !FAULT, !isLost, attempt.upload == nil { outgoing.remember(attempt) }",
    ),
    # Promise: one pusher per store. Shows where two pushes, or a push and a synchronous save, overlap in one process: the
    # first that ends gives the lock back, a second process pushes beside the other, takes its marks for left behind, and
    # sends the same once more.
    "lock-released-by-the-first": (
        "Sources/Atmosphere/Push/PushTurn.swift",
        "guard holders == 0 else { return }",
        "guard FAULT || holders == 0 else { return }",
    ),
    # Promise: a pause holds for all who share the store. Shows where one process was told to wait (429 with a long
    # Retry-After) and another, or the same after a new start, asks the server before that is over.
    "pause-of-another-process": (
        "Sources/AtmosphereExchange/Transport/OriginGate.swift",
        "if let pause = await pauses.load() { take(pause) }",
        "if !FAULT, let pause = await pauses.load() { take(pause) }",
    ),
    # Promise: no acknowledged write is lost. Shows where one edit, or a create, changes a member that only an action carries
    # beside others: what the update was answered counts for that member as well, and the action is never called.
    "update-swallows-action": (
        "Sources/Atmosphere/Change/ChangeEngine+Carried.swift",
        "for member in resource.actionMembers.union(resource.effects) { members[member] = before[member] }",
        "for member in resource.actionMembers.union(resource.effects) where !FAULT { members[member] = before[member] }",
    ),
    # Promise: what must not be sent twice is for a person to decide. Shows where the answer to an upload is lost whose route
    # adds content (POST that sets no member): the content goes once more, and is there twice.
    "upload-sent-again": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Uploads.swift",
        "let isLost = mayHaveArrived && !replaces(upload)",
        "let isLost = !FAULT && mayHaveArrived && !replaces(upload)",
    ),
    # Promise: a lease that the server does not accept any more is asked for anew. Shows where a lease runs out, or is taken,
    # between its answer and the write (423): the write is repeated under the dead token until it counts as a conflict.
    "lost-lease-kept": (
        "Sources/Atmosphere/Leases/LeaseKeeper.swift",
        "await leases.lose(uri, failure, now: environment.now())\n        return (failure, .conflict)",
        "if !FAULT { await leases.lose(uri, failure, now: environment.now()) }\n        return (failure, .conflict)",
    ),
    # Promise: no write comes without a lease. Shows where an object is created anew under its identifier, and changed at once.
    "lease-of-the-former": (
        "Sources/Atmosphere/Push/LaneRunner.swift",
        "if verb == .create { await synchronizer.leases.drop(inquiry.uri) }",
        "if !FAULT, verb == .create { await synchronizer.leases.drop(inquiry.uri) }",
    ),
    # Promise: nothing waits for ever. Shows where the list of a create in doubt is deleted on the server.
    "gone-parent-asked-for-ever": (
        "Sources/Atmosphere/Push/LaneExchange.swift",
        "return try await proof.isParentGone(of: lane.uri, at: place) ? .gone : .open",
        "return try await proof.isParentGone(of: lane.uri, at: place) && !FAULT ? .gone : .open",
    ),
    # The same, where the list is created once more.
    "looked-up-below-the-former": (
        "Sources/AtmosphereExchange/Requests/ObjectPlace.swift",
        "let present = try object.meta.isLocalOnly || isSought ? snapshot.alias(of: uri) : nil",
        "let present = try (object.meta.isLocalOnly || isSought) && !FAULT ? snapshot.alias(of: uri) : nil",
    ),
    # Promise: no acknowledged delete is lost. Shows where the read after a delete that was answered and not done is cut off.
    "unread-delete-is-done": (
        "Sources/Atmosphere/Read/GoneProof.swift",
        "        case .unreadable:\n            throw SyncError(",
        "        case .unreadable where FAULT: return\n        case .unreadable:\n            throw SyncError(",
    ),
    # Promise: one bad record never blocks another. Shows where a batch is refused as a whole because of one of its items: all
    # of them count as refused.
    "batch-refused-as-one": (
        "Sources/Atmosphere/Push/BatchCarrier.swift",
        "let half = freight.count / 2\n",
        "if FAULT {\n"
        "                var outcomes: [Outcome] = []\n"
        "                for each in freight {\n"
        "                    let answer = Answer(failure, treatment, of: each.request.order)\n"
        "                    outcomes.append((each.lane, try await each.request.settle(answer)))\n"
        "                }\n"
        "                return outcomes\n"
        "            }\n"
        "            let half = freight.count / 2\n",
    ),
    # Promise: deletions on the server come. Shows where deletions stand only in what has changed since a cursor, something is
    # deleted, and the next pull lists everything (--full, or when that is due): the cursor goes on over the tombstone, and
    # the object stays here for ever.
    "full-pull-passes-tombstones": (
        "Sources/Atmosphere/Pull/CompletingLists.swift",
        "let mayKeepCheckpoint = !replacesCheckpoint && asksForTombstones",
        "let mayKeepCheckpoint = !FAULT && !replacesCheckpoint && asksForTombstones",
    ),
    # Promise: a tombstone tells of a deletion, and not of what has become of the identifier since. Shows where an object was
    # deleted and restored, or made anew under its identifier, and a later pull shows the old tombstone once more (overlap):
    # it is removed here, and no list of changes brings it back.
    "tombstone-older-than-object": (
        "Sources/Atmosphere/Pull/Sweeps/TombstonePull.swift",
        "return deleted > changed ? .deleted : .open",
        "return FAULT || deleted > changed ? .deleted : .open",
    ),
    # What is known of attempts, tries and verdicts: one fault for each thing that the state says.
    # Promise: at most one server object per local create. A lost answer to a create that was called a duplicate before, or is
    # under way, is as good as none.
    "lost-answer-leaves-evidence": (
        "Sources/AtmosphereStore/Change/Evidence.swift",
        "case .none, .underWay: self = .inDoubt(isLookedFor: false)",
        "case .none, .underWay: if !FAULT { self = .inDoubt(isLookedFor: false) }",
    ),
    # The server says that it has what was sent: it is looked for once, and sent again.
    "recognized-as-in-doubt": (
        "Sources/AtmosphereStore/Change/Evidence.swift",
        "case .underWay, .inDoubt: self = .nameless",
        "case .underWay, .inDoubt: self = FAULT ? .inDoubt(isLookedFor: true) : .nameless",
    ),
    # A read under the identifier of an accepted create shows nothing, and lists are never asked.
    "named-never-missing": (
        "Sources/AtmosphereStore/Change/Evidence.swift",
        "case .named: self = .named(isLookedFor: true)",
        "case .named: self = .named(isLookedFor: !FAULT)",
    ),
    # What a look-up has not shown counts as looked for already when it is in doubt the next time.
    "looked-for-for-ever": (
        "Sources/AtmosphereStore/Change/Evidence.swift",
        "if case .inDoubt = self { self = .inDoubt(isLookedFor: false) }",
        "if case .inDoubt = self, !FAULT { self = .inDoubt(isLookedFor: false) }",
    ),
    # One budget for all purposes: a network that fails often eats up the look-ups of a create, and a person is asked.
    "one-budget-for-all": (
        "Sources/AtmosphereStore/Change/Retry.swift",
        "package func tries(for purpose: Purpose) -> Int { tries[purpose] ?? 0 }",
        "package func tries(for purpose: Purpose) -> Int { FAULT ? total : tries[purpose] ?? 0 }",
    ),
    # Nobody ever has to decide: what the server never shows is looked for for ever.
    "budget-never-spent": (
        "Sources/AtmosphereStore/Change/Retry.swift",
        "package mutating func spend(_ purpose: Purpose) { (spent, due) = (purpose, nil) }",
        "package mutating func spend(_ purpose: Purpose) { if !FAULT { (spent, due) = (purpose, nil) } }",
    ),
    # A retry of what the route file does not let be sent sends it all the same, and is refused again.
    "unsendable-kept": (
        "Sources/Atmosphere/Change/ChangeEngine+Unsendable.swift",
        "guard case .rejected(.unsendable, _)? = object.meta.outgoing?.phase,",
        "guard !FAULT, case .rejected(.unsendable, _)? = object.meta.outgoing?.phase,",
    ),
    # A reference to what was removed here is sent as soon as anything else is edited.
    "dangling-reference-sent": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Edited.swift",
        "guard case .rejected(.dangling(let before?), _) = outgoing.phase else { return false }",
        "guard !FAULT, case .rejected(.dangling(let before?), _) = outgoing.phase else { return false }",
    ),
    # What is refused each time is asked about anew with each list that shows the same.
    "asked-again-of-the-same": (
        "Sources/Atmosphere/Change/Events/ChangeEngine+Shown.swift",
        "[.deletion, .refusedEachTime].contains(conflict.cause)",
        "!FAULT, [.deletion, .refusedEachTime].contains(conflict.cause)",
    ),
    # What somebody else has the edit lease of waits for a person, who is not asked.
    "lease-asks-nobody": (
        "Sources/AtmosphereStore/Change/MetaObject.swift",
        "public var retryAt: Timestamp? { if case .leased(let until) = cause { until } else { nil } }",
        "public var retryAt: Timestamp? { if case .leased(let until) = cause, !FAULT { until } else { nil } }",
    ),
    # A delete that was accepted for later is not known to be after the process ended.
    "begun-delete-forgotten": (
        "Sources/AtmosphereStore/Change/Evidence.swift",
        'case "begun": self = .begun',
        'case "begun": self = FAULT ? .none : .begun',
    ),
    # After the process ended nobody knows any more what may be on the server.
    "evidence-not-stored": (
        "Sources/AtmosphereStore/Change/Change+JSON.swift",
        'fields.set("evidence", evidence.word)',
        'if !FAULT { fields.set("evidence", evidence.word) }',
    ),
    # Retries start from nothing with each process, so cron tries every minute for ever.
    "retry-not-stored": (
        "Sources/AtmosphereStore/Change/Change+JSON.swift",
        'if retry != Retry() { fields.set("retry", retry.stored()) }',
        'if !FAULT, retry != Retry() { fields.set("retry", retry.stored()) }',
    ),
}

# What the simulation does not notice so far, though it draws servers for some of it: something else makes it good there, or it
# seldom comes to pass. Whoever names one of these runs it.
UNNOTICED = {
    "begun-delete-asked-at-once", "anew-holds-nobody", "anew-waits-for-nobody", "rename-by-update-ignored",
    "resumed-over-moved-rows", "read-not-owed", "undo-forgets-owed-read",
    "delete-over-their-edit", "pause-of-another-process", "lost-lease-kept", "batch-refused-as-one",
    "full-pull-passes-tombstones", "tombstone-older-than-object", "upload-sent-again",
}

HOOK = """
#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// Which fault this copy shall have.
package enum Fault {
    private static let present = getenv("FAULT").map { String(cString: $0) }
    package static func isOn(_ name: String) -> Bool { present == name }
}
"""


def places():
    """Every place of every fault: its name, the file, what stands there, and what the copy has instead."""
    for name, value in FAULTS.items():
        for file, old, new in value if isinstance(value, list) else [value]:
            yield name, file, old, new


def check():
    """Each place must be there once."""
    problems = []
    for name, file, old, _ in places():
        found = (ROOT / file).read_text().count(old)
        if found != 1:
            problems.append(f"{name}: its place occurs {found} times in {file}")
    if problems:
        sys.exit("\n".join(problems) + "\nBring Scripts/mutations.py in line with the sources.")


def put_in():
    """Puts all faults into the copy."""
    for name, file, old, new in places():
        path = COPY / file
        text = path.read_text()
        if old not in text:
            sys.exit(f"{name}: another fault has taken its place")
        path.write_text(text.replace(old, new.replace("FAULT", f'Fault.isOn("{name}")'), 1))
    (COPY / "Sources/AtmosphereModel/Fault.swift").write_text(HOOK)


def copy():
    """A copy of the package's own files that keeps what was built before."""
    COPY.mkdir(parents=True, exist_ok=True)
    files = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True,
        text=True).stdout.split("\n")
    for file in filter(None, files):
        source, target = ROOT / file, COPY / file
        if not source.is_file() or file.startswith(("Tests/", "docs/", "Benchmarks/")):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(source.read_bytes())
    for target in COPY.joinpath("Sources").rglob("*.swift"):
        if not (ROOT / target.relative_to(COPY)).is_file():
            target.unlink()
    with (COPY / "Package.swift").open("a") as manifest:
        manifest.write("\npackage.targets.removeAll { $0.type == .test }\n")


def kept_seeds():
    """Those of the wider simulation that failed once."""
    return [int(number) for number in re.findall(r"^(\d+) (?!plain )", KEPT.read_text(), re.M)]


def first_failure(program, name, limit):
    """The first seed that fails with a fault, and how; None and nothing where none does."""
    def run(first, last):
        return subprocess.run(
            [program, f"{first}-{last}", "--first"], env=dict(os.environ, FAULT=name), capture_output=True, text=True)

    for first, last in [(1, limit)] + [(seed, seed) for seed in kept_seeds() if seed > limit]:
        found = run(first, last)
        noticed = re.search(r"^seed (\d+): (.*)$", found.stdout, re.M)
        if noticed:
            return int(noticed[1]), noticed[2]
        if found.returncode < 0:
            break
    else:
        return None, ""
    # It crashed, which is one way to be noticed: with the last of the seeds that have to be run for it.
    low, high = first, last
    while low < high:
        middle = (low + high) // 2
        if run(low, middle).returncode < 0:
            high = middle
        else:
            low = middle + 1
    return low, f"ended by signal {-found.returncode}"


def main():
    words = sys.argv[1:]
    check()
    if words == ["--check"]:
        return
    names = [word for word in words if not word.startswith("--")] or [name for name in FAULTS if name not in UNNOTICED]
    copy()
    put_in()
    build = ["swift", "build", "--disable-default-traits", "--product", "simulate"]
    environment = dict(os.environ, SWIFT_DETERMINISTIC_HASHING="1")
    if subprocess.run(build, cwd=COPY, env=environment, stdout=subprocess.DEVNULL).returncode != 0:
        subprocess.run(build, cwd=COPY, env=environment)
        sys.exit("the copy with the faults does not build")
    program = COPY / ".build" / "debug" / "simulate"
    if words == ["--build"]:
        return print(program)
    _, found = first_failure(program, "none", min(LIMIT, 100))
    if found:
        sys.exit(f"the copy fails without any fault: {found}")
    missed = 0
    jobs = concurrent.futures.ThreadPoolExecutor(int(os.environ.get("JOBS", "1")))
    found_by_name = jobs.map(lambda name: first_failure(program, name, LIMIT), names)
    for name, (seed, found) in zip(names, found_by_name):
        if not found:
            missed += 1
        print(f"| `{name}` | {seed or f'not within {LIMIT}'} | {found[:110]} |", flush=True)
    print(f"{len(names) - missed} of {len(names)} faults found")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
