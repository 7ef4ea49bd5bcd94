/// Where the browser brings the code to: this machine, and no other (RFC 8252 §7.3).
package struct OAuth2Redirect: Sendable, Hashable {
    /// What the redirect URI calls this machine; bound is 127.0.0.1 in any case.
    package var host = "127.0.0.1"
    /// 0, the default, for any free port.
    package var port = 0
    /// With its leading slash.
    package var path = "/"

    /// Any free port of 127.0.0.1.
    package init() {}
}
