#!/usr/bin/env python3
"""Makes an archive that takes a shared library's place when a program is linked, and loads the library at the first call
of one of its functions:

    Scripts/lazy-library.py PACKAGE FOLDER    FOLDER/libNAME.a, and FOLDER/PACKAGE.pc, which leads there
    Scripts/lazy-library.py --users PACKAGE BINARY    a source in C that uses of the library what the binary does, so that
                                                      tools which look at what is linked see it; nothing where it was not so

PACKAGE is what pkg-config calls the library. libcurl brings 27 other libraries, and making their addresses right takes
longer than most commands of atmos. The archive has a function for each of the library's, which jumps to where the library's
own stands; variables have no such place, so a program that uses one does not link.
"""

import re
import subprocess
import sys
from pathlib import Path

# r11 is free between functions, so that the resolver gets the slot without touching an argument.
PARTS = {
    "x86_64": {
        "function": """
    movq .Lslot_{name}(%rip), %r11
    testq %r11, %r11
    je 1f
    jmp *%r11
1:  leaq .Lslot_{name}(%rip), %r11
    jmp lazy_{library}_resolve
""",
        "resolver": """
    pushq %rbp
    movq %rsp, %rbp
    subq $208, %rsp
    movq %rdi, (%rsp)
    movq %rsi, 8(%rsp)
    movq %rdx, 16(%rsp)
    movq %rcx, 24(%rsp)
    movq %r8, 32(%rsp)
    movq %r9, 40(%rsp)
    movq %rax, 48(%rsp)
    movq %r10, 56(%rsp)
    movups %xmm0, 64(%rsp)
    movups %xmm1, 80(%rsp)
    movups %xmm2, 96(%rsp)
    movups %xmm3, 112(%rsp)
    movups %xmm4, 128(%rsp)
    movups %xmm5, 144(%rsp)
    movups %xmm6, 160(%rsp)
    movups %xmm7, 176(%rsp)
    movq %r11, %rdi
    call lazy_{library}_function
    movq %rax, %r11
    movq (%rsp), %rdi
    movq 8(%rsp), %rsi
    movq 16(%rsp), %rdx
    movq 24(%rsp), %rcx
    movq 32(%rsp), %r8
    movq 40(%rsp), %r9
    movq 48(%rsp), %rax
    movq 56(%rsp), %r10
    movups 64(%rsp), %xmm0
    movups 80(%rsp), %xmm1
    movups 96(%rsp), %xmm2
    movups 112(%rsp), %xmm3
    movups 128(%rsp), %xmm4
    movups 144(%rsp), %xmm5
    movups 160(%rsp), %xmm6
    movups 176(%rsp), %xmm7
    leave
    jmp *%r11
""",
    },
}

RESOLVER = r"""
#include <dlfcn.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

struct slot { void *function; int32_t name; };

static void *library;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void load(void) { library = dlopen("@SONAME@", RTLD_LAZY | RTLD_LOCAL); }

/* As the loader ends a program whose libraries are not there. */
static void *missing(void) {
    const char *reason = dlerror();
    fprintf(stderr, "atmos: %s; install the library\n", reason ? reason : "@SONAME@ cannot be loaded");
    _exit(127);
}

__attribute__((visibility("hidden"))) void *lazy_@LIBRARY@_function(struct slot *slot) {
    pthread_once(&once, load);
    if (!library) return missing();
    void *function = dlsym(library, (const char *)&slot->name + slot->name);
    if (!function) return missing();
    __atomic_store_n(&slot->function, function, __ATOMIC_RELEASE);
    return function;
}
"""


def run(*command: str) -> str:
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def name_of(package: str) -> str:
    """What -l calls the library."""
    return next(flag[2:] for flag in pkg_config("--libs-only-l", package).split())


def pkg_config(option: str, package: str) -> str:
    return run("pkg-config", option, package).strip()


def shared_library(name: str) -> Path:
    """What the linker would take for -lNAME."""
    return Path(run("clang", f"-print-file-name=lib{name}.so").strip()).resolve(strict=True)


def soname(library: Path) -> str:
    found = re.search(r"^\s*SONAME\s+(\S+)", run("objdump", "-p", str(library)), re.M)
    if not found:
        sys.exit(f"lazy-library: {library} has no name to be loaded by")
    return found[1]


def functions(library: Path) -> list[str]:
    lines = (line.split() for line in run("nm", "-D", "--defined-only", str(library)).splitlines())
    return sorted({fields[2].split("@")[0] for fields in lines if fields[1] == "T" and not fields[2].startswith("_")})


def assembly(parts: dict[str, str], name: str, names: list[str]) -> str:
    def function(symbol: str, body: str, binding: str) -> str:
        return (
            f'    .section .text.{symbol},"ax",%progbits\n    .globl {symbol}\n    {binding}'
            f"    .type {symbol}, %function\n    .p2align 4\n{symbol}:{body}    .size {symbol}, .-{symbol}\n"
        )

    lines = [function(f"lazy_{name}_resolve", parts["resolver"].replace("{library}", name), f".hidden lazy_{name}_resolve\n")]
    for each in names:
        body = parts["function"].replace("{library}", name).replace("{name}", each)
        lines.append(function(each, body, f".hidden {each}\n"))
        # A distance instead of an address, so that the loader has nothing to do here.
        lines.append(
            f'    .section .data.lazy.{each},"aw",%progbits\n    .p2align 3\n'
            f".Lslot_{each}:\n    .quad 0\n    .long .Lname_{each} - .\n    .long 0\n"
            f'    .section .rodata.lazy.{each},"a",%progbits\n.Lname_{each}:\n    .asciz "{each}"\n'
        )
    lines.append('    .section .note.GNU-stack,"",%progbits\n')
    return "".join(lines)


def make(package: str, folder: Path) -> None:
    name = name_of(package)
    library = shared_library(name)
    target = run("clang", "-dumpmachine").split("-")[0]
    if target not in PARTS:
        sys.exit(f"lazy-library: no way is known here for {target}; link without {folder}")
    folder.mkdir(parents=True, exist_ok=True)
    stubs, resolver = folder / f"{name}.s", folder / f"{name}.c"
    stubs.write_text(assembly(PARTS[target], name, functions(library)))
    resolver.write_text(RESOLVER.replace("@SONAME@", soname(library)).replace("@LIBRARY@", name))
    objects = []
    for source, options in ((stubs, []), (resolver, ["-O2"])):
        objects.append(str(source) + ".o")
        run("clang", *options, "-fPIC", "-Wall", "-c", str(source), "-o", objects[-1])
    archive = folder / f"lib{name}.a"
    archive.unlink(missing_ok=True)
    run("ar", "rcsD", str(archive), *objects)
    (folder / f"{package}.pc").write_text(
        f"Name: {package}\nDescription: {archive.name}, which loads {soname(library)} at the first call\n"
        f"Version: {pkg_config('--modversion', package)}\n"
        f"Cflags: {pkg_config('--cflags', package)}\nLibs: -L{folder.resolve()} -l{name}\n"
    )


def users(package: str, binary: str) -> None:
    name = name_of(package)
    defined = {line.split()[-1] for line in run("nm", "--defined-only", binary).splitlines()}
    if f"lazy_{name}_resolve" not in defined:
        return
    library = shared_library(name)
    used = [each for each in functions(library) if each in defined]
    print(f"// {soname(library)}")
    for each in used:
        print(f"extern char {each}[];")
    print(f"void *uses_{name}[] = {{{', '.join(used)}}};")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        make(sys.argv[1], Path(sys.argv[2]))
    elif len(sys.argv) == 4 and sys.argv[1] == "--users":
        users(sys.argv[2], sys.argv[3])
    else:
        sys.exit(__doc__)
