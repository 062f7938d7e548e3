#!/bin/sh
# Installs the Debian packages that `make run` (run) needs, and what `make test` (test) and `make test-full` (full) would
# otherwise skip. On a terminal sudo may ask for a password; elsewhere nothing is asked, and what is missing is named.
set -u
test_tools="gcc g++ make clang tcc opencl-headers ocl-icd-opencl-dev pocl-opencl-icd libclblast-dev
 openmpi-bin libopenmpi-dev"
full_tools="$test_tools oclgrind mpich libmpich-dev musl-tools valgrind qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu
 libc6-dev-s390x-cross gcc-12-multilib gcc-mingw-w64-x86-64-win32 wine wine64 libclang-rt-14-dev gcc-arm-none-eabi
 libnewlib-arm-none-eabi qemu-system-arm clang-15 clang-19 libclc-15 libclang-cpp15 libllvm15 libllvmspirvlib15 graphviz
 wasi-libc libclang-rt-14-dev-wasm32 lld nodejs clang-16 gcc-riscv64-linux-gnu libc6-dev-riscv64-cross python3-torch
 cmake meson ninja-build pkgconf chromium"
case ${1:-} in
    run) wanted="gcc make libc6-dev" ;;
    test) wanted="$test_tools libc6-dev" ;;
    full) wanted="$full_tools libc6-dev" ;;
    *) echo "usage: tools/setup.sh run|test|full" >&2; exit 1 ;;
esac
command -v dpkg-query > /dev/null 2>&1 && command -v apt-get > /dev/null 2>&1 ||
    { echo "setup: no apt-get here; what is not installed will be skipped"; exit 0; }
missing=
for package in $wanted; do
    dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null | grep -q '^ii' || missing="$missing $package"
done
[ -z "$missing" ] && { echo "setup: nothing is missing"; exit 0; }
sudo=
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo > /dev/null 2>&1 && [ -t 0 ]; then sudo=sudo
    elif command -v sudo > /dev/null 2>&1 && sudo -n true 2> /dev/null; then sudo="sudo -n"
    else echo "setup: missing:$missing (sudo asks for a password; they will be skipped)"; exit 0; fi
fi
install() {
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}
# shellcheck disable=SC2086
install $missing || { $sudo apt-get update && install $missing; } || {
    # A package that this release lacks must not prevent the installation of the others.
    for package in $missing; do install "$package" || echo "setup: could not install $package; it will be skipped"; done
}
exit 0
