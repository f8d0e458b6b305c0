#!/usr/bin/env bash
# A conversation with the desk by curl, while the server runs: examples/server/curl.sh [URL]
set -euo pipefail

url=${1:-http://localhost:3000}
id=refund-$RANDOM$RANDOM
# The demonstration takes the token for the user's name.
ask=(curl --silent --show-error --fail-with-body -H 'authorization: Bearer ada' -H 'content-type: application/json')

echo "== Start a run. Sent again with its id, it is the same run."
"${ask[@]}" "$url/runs/desk" -d "{\"id\":\"$id\",\"session\":\"$id\",\"input\":\"I want my money back for order 7.\"}"

echo && echo "== Follow its events, until it waits. --no-buffer shows each as it comes."
"${ask[@]}" --no-buffer "$url/runs/$id/events"

echo "== How does it stand?"
run=$("${ask[@]}" "$url/runs/$id")
echo "$run"
approval=$(sed 's/.*"approvalId":"\([^"]*\)".*/\1/' <<<"$run")

echo "== Approve 40 euros instead of 80, and follow what comes of it"
"${ask[@]}" --no-buffer "$url/runs/$id/decide" -H 'accept: text/event-stream' \
  -d "{\"decisions\":[{\"approvalId\":\"$approval\",\"decision\":\"approve\",\"arguments\":{\"order\":7,\"euros\":40}}]}"

echo "== The conversation"
"${ask[@]}" "$url/sessions/$id"
echo
