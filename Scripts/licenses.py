#!/usr/bin/env python3
"""Collects the licences of all that a binary is linked with.

    Scripts/licenses.py BUILD FOLDER     BUILD is the folder with the binary, as `swift build --show-bin-path` prints it

FOLDER gets `copyright`, in Debian's machine-readable format, and `licenses/NAME/` with the licence and the notice of each
package as they are. Which packages these are is read from the list of objects that the linker got, so what is fetched and not
linked is not there. A package without a licence is an error.
"""
import json
import pathlib
import re
import shutil
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1]).resolve()
folder = pathlib.Path(sys.argv[2])
grants = re.compile(r"Permission is hereby granted|Redistribution and use in source")


def linked_sources():
    """The source files of each package that is linked, headers too, by the package's folder."""
    objects = (build / "atmos.product/Objects.LinkFileList").read_text().splitlines()
    modules = sorted({part for line in objects for part in pathlib.Path(line.strip("'\"")).parts if part.endswith(".build")})
    packages = {}
    for module in modules:
        lists = [build / module / "sources", *(build / module).rglob("*.d")]
        for path in (path for path in lists if path.is_file()):
            for source in re.findall(r"\S*/checkouts/\S+", path.read_text(errors="replace")):
                source = pathlib.Path(source.strip("'\":"))
                parts = source.parts
                top = parts.index("checkouts") + 2
                packages.setdefault(pathlib.Path(*parts[:top]), set()).add(source)
    return packages


def texts_in(sources):
    """The licences that stand in source files: code of others, which the package's own licence does not cover."""
    found = {}
    for source in sorted(sources):
        text = source.read_text(errors="replace") if source.is_file() else ""
        if not grants.search(text):
            continue
        for comment in re.findall(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+", text, re.S | re.M):
            if grants.search(comment):
                lines = [re.sub(r"^\s*(/\*+-?|\*+/|\*|//+)\s?|\s*\*/\s*$", "", line) for line in comment.splitlines()]
                found.setdefault("\n".join(lines).strip("\n") + "\n", source.name)
    return found


def license_of(text):
    if "Apache License" in text:
        return "Apache-2.0-with-Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"
    if "Permission is hereby granted" in text and "MERCHANTABILITY" in text:
        return "Expat"
    sys.exit(f"licenses: a licence that this script does not know:\n{text[:200]}")


def holders_of(name, texts):
    """The lines that say who holds the copyright; of the Apache License alone, which has none, the authors as such."""
    lines = {}
    for text in texts:
        for line in re.findall(r"^\W*Copyright\b(?: ?\([cC]\)| ?©)?\s*(\d{4}.*?)\W*$", text, re.M):
            lines.setdefault(re.sub(r"\s+", " ", line))
    return list(lines) or [f"the authors of {name}"]


def paragraph(text):
    """The body of a field with several lines."""
    return "\n".join(" " + (line.rstrip() or ".") for line in text.strip("\n").splitlines())


def stanza(name, texts, license, comment):
    holders = "\n           ".join(holders_of(name, texts))
    return f"Files: {name}/*\nCopyright: {holders}\nLicense: {license}\nComment: {comment}\n"


def runtime_license():
    information = json.loads(subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True).stdout)
    resources = pathlib.Path(information["paths"]["runtimeResourcePath"])
    return (resources / "../../share/swift/LICENSE.txt").resolve()


own = (root / "LICENSE").read_text()
stanzas = []
used = {"Expat"}
for package, sources in sorted(linked_sources().items(), key=lambda item: item[0].name.lower()):
    name = package.name
    files = sorted(path for path in package.iterdir() if re.match(r"(LICEN[CS]E|NOTICE|COPYING)", path.name, re.I))
    nested = sorted({path for source in sources for path in source.parent.glob("LICEN[CS]E*")} - set(files))
    if not any(re.match("(LICEN|COPYING)", path.name, re.I) for path in files):
        sys.exit(f"licenses: {name} is linked and has no licence")
    place = folder / "licenses" / name
    place.mkdir(parents=True)
    for path in files:
        shutil.copyfile(path, place / (path.stem + ".txt"))
    for path in nested:
        shutil.copyfile(path, place / f"{path.parent.name}-{path.stem}.txt")
    for text, source in texts_in(sources).items():
        (place / f"{source}-LICENSE.txt").write_text(text)
    texts = [path.read_text(errors="replace") for path in files]
    license = license_of(next(text for path, text in zip(files, texts) if not path.name.startswith("NOTICE")))
    used.add(license)
    comment = "linked; see licenses/" + name
    if nested or texts_in(sources):
        comment += ", also for the code of others in it"
    stanzas.append(stanza(name, texts, license, comment))

place = folder / "licenses" / "swift-runtime"
place.mkdir(parents=True)
shutil.copyfile(runtime_license(), place / "LICENSE.txt")
used.add("Apache-2.0-with-Swift-exception")
stanzas.append(
    "Files: swift-runtime/*\nCopyright: 2014-2026 Apple Inc. and the Swift project authors\n"
    "License: Apache-2.0-with-Swift-exception\n"
    "Comment: the standard library, Dispatch and Foundation; see licenses/swift-runtime\n"
)
for path in sorted((root / "Packaging/licenses").iterdir()):
    place = folder / "licenses" / path.stem
    place.mkdir(parents=True)
    shutil.copyfile(path, place / "LICENSE.txt")
stanzas.append(
    "Files: ICU/*\nCopyright: 2016-2024 Unicode, Inc.\nLicense: Unicode-3.0\nComment: see licenses/ICU, also for code of others in it\n"
)
stanzas.append(
    "Files: LibYAML/*\nCopyright: 2017-2020 Ingy döt Net\n           2006-2016 Kirill Simonov\nLicense: Expat\n"
    "Comment: see licenses/LibYAML\n"
)

apache = " On Debian systems the text is in /usr/share/common-licenses/Apache-2.0."
bodies = {
    "Expat": paragraph(own.split("\n\n", 2)[2]),
    "Apache-2.0": " Licensed under the Apache License, Version 2.0.\n .\n" + apache,
    "Apache-2.0-with-Swift-exception": " Licensed under the Apache License, Version 2.0, with this exception:\n .\n"
    + paragraph(runtime_license().read_text().split("Runtime Library Exception to the Apache 2.0 License: ##")[1])
    + "\n .\n" + apache,
    "Unicode-3.0": paragraph(
        (root / "Packaging/licenses/ICU.txt").read_text().split("SPDX-License-Identifier")[0].split("PERMISSION NOTICE\n\n", 1)[1]
    ),
}
used.add("Unicode-3.0")
(folder / "copyright").write_text(
    "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
    "Upstream-Name: Atmosphere\n"
    "Comment: The command is linked with the packages that are named below, each by the folder that its files are in. Their\n"
    " licences and notices, as they came, are in the folder licenses beside this file.\n\n"
    "Files: *\nCopyright: " + holders_of("Atmosphere", [own])[0] + "\nLicense: Expat\n\n"
    + "\n".join(stanzas) + "\n"
    + "\n\n".join(f"License: {name}\n{bodies[name]}" for name in sorted(used)) + "\n"
)
