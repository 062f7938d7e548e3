# float_callers.awk - lists the functions of a program that call a routine of soft floating point.
#   arm-none-eabi-objdump -d PROGRAM | awk -f tests/firmware/float_callers.awk
# PROGRAM is for a processor without a floating-point unit (Cortex-M0+, M3): every float instruction
# is such a call there. The routines themselves, whose names begin with two underscores, are left out.
/^[0-9a-f]+ <.+>:$/ {
    name = $2
    gsub(/[<>:]/, "", name)
    sub(/\..*/, "", name) # a part or copy of a function that the compiler made
    next
}
name ~ /^__/ { next }
/\tb[a-z.]*[ \t]/ && /<__(aeabi_c?[fd][a-z0-9]+|aeabi_u?[il]l?2[fd]|(add|sub|mul|div)[sd]f3)>/ { print name }
/\tb[a-z.]*[ \t]/ && /<(sqrt|floor|ceil|rint|round|exp|expm1|log|log1p|pow|tanh|erf|ldexp|frexp|fabs|fmin|fmax)f?>/ { print name }
