public import AtmosphereRouting

/// The conventions of CloudKit Web Services: everything is a POST, records have `fields` with a `value` each, writes go
/// through `records/modify` with a result for each record, and `recordChangeTag` is the version.
///
/// There are two styles. `cloudkit` lists by `records/query`, which every database has. `cloudkit-changes` lists by
/// `changes/zone` with a sync token, which zones of one's own have, in private and shared databases: it tells of changes
/// and deletes only. A resource is a record type; where its name is another, say `singular`. `path` is the name of its
/// zone, which is `_defaultZone` for `cloudkit` where nothing is said.
///
/// ```yaml
/// style: cloudkit
/// base: https://api.apple-cloudkit.com/database/1/iCloud.com.example.tasks/production/public
/// auth: { key: { query: ckAPIToken, value: "secret:CLOUDKIT_TOKEN" } }
/// resources:
///   tasks: { singular: Task }
/// ```
///
/// Private and shared databases want a web token, too, which changes with each answer (`ckWebAuthToken`): `auth.token` with
/// `send` and `renewed`.
///
/// A reference is a field of its own, `read` and `write` at `fields.list.value.recordName`, with `set` for its `action`.
/// An asset's value is shown as it is (`downloadURL`, `size`, `fileChecksum`), and sent back only where it was edited; its
/// content is uploaded in the two steps that CloudKit wants (`assets/upload`, then the URL that it names), and downloaded.
///
/// Made after Apple's reference, and not tried against Apple's servers.
///
/// - SeeAlso: Apple's CloudKit Web Services Reference
public struct CloudKitStyle: RoutingStyle {
    private let listsChanges: Bool

    private init(listsChanges: Bool) { self.listsChanges = listsChanges }

    /// Lists by `records/query`.
    public static let queries = CloudKitStyle(listsChanges: false)
    /// Lists by `changes/zone`.
    public static let changes = CloudKitStyle(listsChanges: true)

    /// `cloudkit`, or `cloudkit-changes`
    public var name: String { listsChanges ? "cloudkit-changes" : "cloudkit" }

    /// Zones of one's own have names of one's own.
    public var needs: [String] { listsChanges ? ["path"] : [] }

    /// The requests of CloudKit Web Services; lists are those that the style was chosen for.
    public var document: String { "{\(listsChanges ? Self.changedRecords : Self.queriedRecords),\(Self.records)}" }

    private static let queriedRecords = """
        "path": "_defaultZone",
        "list": {
            "method": "POST", "path": "/records/query",
            "set": { "zoneID": { "zoneName": "{path}" }, "query": { "recordType": "{singular}" } }
        },
        "items": { "path": "$.records", "failed": "serverErrorCode" },
        "pages": {
            "kind": "token", "next": "$.continuationMarker", "parameter": "continuationMarker",
            "size": { "parameter": "resultsLimit", "value": 200 }
        }
        """

    // The first page has no token, which means from the beginning; the last one's is for the next pull.
    private static let changedRecords = """
        "list": {
            "method": "POST", "path": "/changes/zone",
            "set": { "zones": [{ "zoneID": { "zoneName": "{path}" }, "desiredRecordTypes": ["{singular}"] }] }
        },
        "items": { "path": "$.zones[0].records", "failed": "serverErrorCode" },
        "pages": {
            "kind": "token", "next": "$.zones[0].syncToken", "parameter": "zones[0].syncToken",
            "more": "$.zones[0].moreComing"
        },
        "since": {
            "send": "zones[0].syncToken", "from": { "body": "$.zones[0].syncToken", "page": "last" }, "overlap": "0s"
        }
        """

    // All but the list goes through the batches; what the operations say of paths is never asked for.
    private static let records = """
        "read": { "path": "/records/lookup/{id}" },
        "create": { "path": "/records/modify" },
        "update": { "method": "POST", "path": "/records/modify/{id}", "body": "changed" },
        "delete": { "method": "POST", "path": "/records/modify/{id}" },
        "id": { "field": "recordName", "assigned": "client" },
        "version": { "field": "recordChangeTag", "send": "if-match" },
        "deletes": { "field": "deleted" },
        "duplicate": { "status": 409 },
        "attachments": {
            "*": {
                "upload": {
                    "ask": {
                        "post": "/assets/upload",
                        "set": {
                            "zoneID": { "zoneName": "{path}" },
                            "tokens": [
                                { "recordName": "{id}", "recordType": "{singular}", "fieldName": "{member}" }
                            ]
                        },
                        "url": "$.tokens[0].url"
                    },
                    "method": "POST",
                    "value": "$.singleFile"
                },
                "download": { "url": "$.downloadURL", "file-name": "${f}" },
                "identity": "$.fileChecksum"
            }
        },
        "fields": {
            "*": { "read": "fields[*].value", "write": "fields[*].value" },
            "recordName": { "read": "recordName" },
            "recordType": { "read": "recordType" },
            "recordChangeTag": { "read": "recordChangeTag" },
            "created": { "read": "created.timestamp" },
            "modified": { "read": "modified.timestamp" }
        },
        "types": { "recordName": "string" },
        "readonly": [
            "recordName", "recordType", "recordChangeTag", "created", "modified", "deleted", "zoneID", "pluginFields",
            "parent", "share", "shortGUID"
        ],
        "errors": {
            "fields": "$.none", "messages": ["$.reason", "$.zones[0].reason"],
            "rules": [
                {
                    "status": 200, "path": "$.zones[0].serverErrorCode",
                    "equals": ["AUTHENTICATION_FAILED", "AUTHENTICATION_REQUIRED"], "treat": "unauthorized"
                },
                { "status": 200, "path": "$.zones[0].serverErrorCode", "equals": ["THROTTLED"], "treat": "wait" },
                {
                    "status": 200, "path": "$.zones[0].serverErrorCode",
                    "equals": ["INTERNAL_ERROR", "TRY_AGAIN_LATER"], "treat": "retry"
                },
                { "status": 200, "path": "$.zones[0].serverErrorCode", "treat": "reject" },
                { "status": 409, "path": "$.serverErrorCode", "equals": ["CONFLICT", "EXISTS"], "treat": "conflict" },
                { "status": 412, "treat": "reject" },
                { "status": 421, "treat": "unauthorized" }
            ]
        },
        "batch": [
            {
                "post": "/records/modify",
                "size": 200,
                "items": "operations",
                "set": { "zoneID": { "zoneName": "{path}" }, "atomic": false },
                "create": {
                    "set": { "operationType": "create", "record": { "recordType": "{singular}" } },
                    "body": "record", "id": "record.recordName"
                },
                "update": {
                    "set": { "operationType": "update", "record": { "recordType": "{singular}" } },
                    "body": "record", "id": "record.recordName", "version": "record.recordChangeTag"
                },
                "delete": {
                    "set": { "operationType": "delete", "record": { "recordType": "{singular}" } },
                    "id": "record.recordName", "version": "record.recordChangeTag"
                },
                "results": {
                    "path": "records", "match": { "sent": "record.recordName", "found": "recordName" },
                    "status": "serverErrorCode", "codes": {\(codes)}, "retry-after": "retryAfter"
                }
            },
            {
                "post": "/records/lookup",
                "size": 200,
                "items": "records",
                "set": { "zoneID": { "zoneName": "{path}" } },
                "read": { "id": "recordName" },
                "results": {
                    "path": "records", "match": { "sent": "recordName", "found": "recordName" },
                    "status": "serverErrorCode", "codes": {\(codes)}, "retry-after": "retryAfter"
                }
            }
        ]
        """

    /// What Apple's table of error codes says.
    private static let codes = """
        "ACCESS_DENIED": 403, "ATOMIC_ERROR": 400, "AUTHENTICATION_FAILED": 401, "AUTHENTICATION_REQUIRED": 421,
        "BAD_REQUEST": 400, "CONFLICT": 409, "EXISTS": 409, "INTERNAL_ERROR": 500, "NOT_FOUND": 404,
        "QUOTA_EXCEEDED": 413, "THROTTLED": 429, "TRY_AGAIN_LATER": 503, "VALIDATING_REFERENCE_ERROR": 412,
        "ZONE_NOT_FOUND": 404
        """
}

extension Adapter {
    /// The routing style `cloudkit`.
    public static var cloudKit: Adapter { .style(CloudKitStyle.queries) }
    /// The routing style `cloudkit-changes`.
    public static var cloudKitChanges: Adapter { .style(CloudKitStyle.changes) }
}
