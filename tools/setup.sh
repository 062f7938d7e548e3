#!/bin/sh
# Installs the Debian packages that `make test` (test) or `make test-full` (full) can use and would otherwise skip.
# Asks nothing: without root and without a password-less sudo it says what is missing and ends with 0.
set -u
test_tools="gcc g++ make clang tcc opencl-headers ocl-icd-opencl-dev pocl-opencl-icd libclblast-dev"
full_tools="$test_tools musl-tools valgrind qemu-user gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu
 libc6-dev-s390x-cross gcc-12-multilib gcc-mingw-w64-x86-64-win32 wine wine64 libclang-rt-14-dev gcc-arm-none-eabi
 libnewlib-arm-none-eabi qemu-system-arm"
case ${1:-} in
    test) wanted="$test_tools libc6-dev" ;;
    full) wanted="$full_tools libc6-dev" ;;
    *) echo "usage: tools/setup.sh test|full" >&2; exit 1 ;;
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
    if command -v sudo > /dev/null 2>&1 && sudo -n true 2> /dev/null; then sudo="sudo -n"
    else echo "setup: missing:$missing (sudo asks for a password; they will be skipped)"; exit 0; fi
fi
install() {
    # shellcheck disable=SC2086
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=300 "$@"
}
# shellcheck disable=SC2086
install $missing || { $sudo apt-get update && install $missing; } || {
    # One that this release lacks must not keep the others away.
    for package in $missing; do install "$package" || echo "setup: could not install $package; it will be skipped"; done
}
exit 0
