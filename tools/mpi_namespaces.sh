#!/bin/sh
# One training over TCP between two network namespaces of this machine that are 20 ms apart (each way): 4 ranks, two in
# each, must end with the bytes of one. Needs root, ip, unshare and /dev/net/tun; else it says what is missing and ends with 0.
#   tools/mpi_namespaces.sh engine program      engine: openmpi or mpich; program: test_mpi, built for it
# Prints the seconds of one process and of 4, and one line "N passed, M failed, K skipped".
tunnel= engine=$1 program=$(realpath "$2")
name=nnmpi$$
out=$(realpath "$(mktemp -d build/namespaces.XXXXXX)")

skip() {
    echo "SKIP mpi_namespaces: $1"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}
end() {
    [ "$tunnel" ] && kill $tunnel
    ip netns del "${name}a" 2> /dev/null
    ip netns del "${name}b" 2> /dev/null
    rm -rf "$out"
}
trap end EXIT

[ "$(id -u)" = 0 ] || skip "namespaces need root"
for tool in ip unshare "mpirun.$engine"; do command -v "$tool" > /dev/null || skip "no $tool"; done
[ -c /dev/net/tun ] || skip "no /dev/net/tun"
${CC:-cc} -std=c99 -O1 -o "$out/delay_tunnel" tools/delay_tunnel.c || exit 1
ip netns add "${name}a" && ip netns add "${name}b" || skip "ip netns add is refused"
"$out/delay_tunnel" "${name}a" 10.99.7.1 "${name}b" 10.99.7.2 20 > "$out/tunnel" 2>&1 &
tunnel=$!
tries=0
until grep -q ready "$out/tunnel"; do
    tries=$((tries + 1))
    [ $tries -lt 100 ] && kill -0 $tunnel 2> /dev/null || skip "no tunnel: $(cat "$out/tunnel")"
    sleep 0.1
done

# Starts the other half, as ssh would: agent [options] address command...
cat > "$out/agent" << END
#!/bin/sh
while :; do case \$1 in -*) shift ;; *) break ;; esac; done
case \$1 in 10.99.7.1) side=a ;; *) side=b ;; esac
shift
exec ip netns exec $name\$side unshare --uts sh -c "hostname node-\$side; cd $PWD; \$*"
END
chmod +x "$out/agent"
case $engine in
    openmpi)
        mpirun="env OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun.openmpi --mca plm_rsh_agent $out/agent
            --mca btl tcp,self --mca pml ob1 --mca btl_tcp_if_include 10.99.7.0/24 --mca oob_tcp_if_include 10.99.7.0/24
            --oversubscribe --host 10.99.7.1:2,10.99.7.2:2 -n 4" ;;
    mpich)
        mpirun="env UCX_TLS=tcp,self UCX_NET_DEVICES=cable FI_PROVIDER=tcp MPIR_CVAR_NOLOCAL=1 mpirun.mpich -launcher ssh -launcher-exec $out/agent -iface cable
            -hosts 10.99.7.1:2,10.99.7.2:2 -n 4" ;;
esac

# job, folder and the other arguments of a rank of tests/mpi/test_mpi.c
mkdir "$out/one" "$out/four"
start=$(date +%s.%N)
"$program" --rank trains "$out/one" 0 60 -1 0 > "$out/one/log" 2>&1
middle=$(date +%s.%N)
timeout 500 ip netns exec "${name}a" unshare --uts sh -c "hostname node-a
exec $(echo $mpirun) $program --rank values,trains $out/four 0 60 -1 0" > "$out/four/log" 2>&1 < /dev/null
status=$?
end=$(date +%s.%N)
failed=0
[ $status = 0 ] || { echo "FAIL mpi_namespaces: $engine ended with $status"; tail -n 15 "$out/four/log"; failed=1; }
# rank 0 has a hash of its checkpoint, with moments, after that of weights and running statistics
for rank in 0 1 2 3; do
    [ $rank = 0 ] && hashes=2p || hashes='2s/ .*//p'
    wanted=$(sed -n "$hashes" "$out/one/rank0")
    found=$(sed -n "$hashes" "$out/four/rank$rank" 2> /dev/null)
    [ "$wanted" ] && [ "$found" = "$wanted" ] && [ "$(head -n 1 "$out/four/rank$rank")" = 0 ] && continue
    echo "FAIL mpi_namespaces: $engine, rank $rank has ${found:-nothing}, one process $wanted"
    failed=1
done
# 200 steps wait for the cable at least twice each; a faster training has found another way.
echo "$start $middle $end $engine $wanted" | awk '
    { printf "%s: 200 steps: one process %.1f s, 4 over TCP %.1f s; %s\n", $4, $2 - $1, $3 - $2, $5; exit $3 - $2 < 8 }' ||
    { echo "FAIL mpi_namespaces: $engine did not use the cable"; failed=1; }
echo "$((failed == 0)) passed, $((failed != 0)) failed, 0 skipped"
[ $failed = 0 ]
