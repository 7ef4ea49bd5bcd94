"""Colours code. What a language's patterns do not name stays as it is."""

import html
import re

SWIFT_WORDS = (
    "actor any as associatedtype async await borrowing break case catch class consuming continue default defer deinit do "
    "else enum extension false fileprivate final for func get guard if import in indirect init inout internal is isolated "
    "lazy let mutating nil nonisolated nonmutating open operator package private protocol public repeat rethrows return "
    "self Self sending set some static struct subscript super switch throw throws true try typealias unowned var weak "
    "where while"
).split()

STRING = r'"""[\s\S]*?"""|"(?:[^"\\\n]|\\.)*"'
PATTERNS = {
    "swift": [
        ("comment", r"//[^\n]*|/\*[\s\S]*?\*/"),
        ("string", STRING),
        ("keyword", r"(?<![\w.@#`])(?:" + "|".join(SWIFT_WORDS) + r")\b|[@#][A-Za-z]\w*"),
        ("type", r"\b[A-Z]\w*\b"),
        ("number", r"\b\d[\d_]*(?:\.\d+)?\b"),
    ],
    "yaml": [
        ("comment", r"(?:(?<=\s)|^)#[^\n]*"),
        ("string", r'"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\''),
        ("keyword", r"(?:(?<=^)|(?<=[\s{,-]))[\w.*@-]+(?=:(?:\s|$))"),
    ],
    "sh": [
        ("comment", r"(?:(?<=\s)|^)#[^\n]*"),
        ("string", STRING + r"|'[^']*'"),
        ("keyword", r"(?:(?<=\n)|^|(?<=\| )|(?<=&& ))(?:atmos|make|swift|curl|export|cat|echo|git|docker)\b"),
    ],
    "json": [
        ("keyword", r'"(?:[^"\\\n]|\\.)*"(?=\s*:)'),
        ("string", r'"(?:[^"\\\n]|\\.)*"'),
        ("number", r"-?\b\d[\d.eE+-]*\b|\b(?:true|false|null)\b"),
    ],
}
PATTERNS["bash"] = PATTERNS["shell"] = PATTERNS["sh"]
PATTERNS["yml"] = PATTERNS["yaml"]
COMPILED = {
    language: re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in patterns), re.MULTILINE)
    for language, patterns in PATTERNS.items()
}


def highlight(code, language):
    """The code as HTML."""
    pattern = COMPILED.get((language or "").split(" ")[0].lower())
    if not pattern:
        return html.escape(code, quote=False)
    pieces, end = [], 0
    for match in pattern.finditer(code):
        pieces.append(html.escape(code[end : match.start()], quote=False))
        pieces.append(f'<span class="{match.lastgroup}">{html.escape(match.group(), quote=False)}</span>')
        end = match.end()
    pieces.append(html.escape(code[end:], quote=False))
    return "".join(pieces)
