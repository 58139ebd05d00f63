#!/bin/sh
# Feeds a player and a deposit, reads the player's chances, draws, and asks until the prize is paid.
# Needs curl and openssl; runs in any POSIX shell.
#
#   RED_URL=http://127.0.0.1:8080 RED_KEY=rk_… RED_SECRET=… sh draw.sh [PLAYER_ID]
set -eu

URL=${RED_URL:-http://127.0.0.1:8080}
KEY=${RED_KEY:?set RED_KEY to the key that redctl printed}
SECRET=${RED_SECRET:?set RED_SECRET to the secret that redctl printed}
PLAYER=${1:-example-sh}

# call METHOD PATH [BODY]: answers the body in $ANSWER and the HTTP status in $STATUS.
call() {
  method=$1 path=$2 body=${3:-}
  tries=0
  while :; do
    # Everything that makes an attempt is new each time; the body never is.
    timestamp=$(date +%s)
    nonce=$(openssl rand -hex 16)
    hash=$(printf %s "$body" | openssl dgst -sha256 -r | cut -c1-64)
    # Others on this machine can see the secret in the process list; a program of yours holds it inside.
    signature=$(printf %s "$timestamp.$nonce.$method.$path.$hash" |
      openssl dgst -sha256 -hmac "$SECRET" -r | cut -c1-64)
    set -- -sS --max-time 30 -X "$method" -w '\n%{http_code}' -H "X-Key: $KEY" \
      -H "X-Timestamp: $timestamp" -H "X-Nonce: $nonce" -H "X-Signature: $signature" \
      -H 'Accept-Language: en'
    if [ -n "$body" ]; then
      set -- "$@" -H 'Content-Type: application/json' --data-binary "$body"
    fi
    reply=$(curl "$@" "$URL$path") || reply='
000'
    STATUS=$(printf %s "$reply" | tail -n 1)
    ANSWER=$(printf %s "$reply" | sed '$d')
    tries=$((tries + 1))
    # No answer, too busy, a fault on the other side: the same call again, a little later.
    case $STATUS in
      000 | 429 | 5??) [ "$tries" -lt 5 ] || return 0 ;;
      *) return 0 ;;
    esac
    sleep "$tries"
  done
}

# field NAME: its value in $ANSWER, for flat JSON; a program of yours uses a JSON library.
field() {
  printf %s "$ANSWER" | sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"
}

expect() {
  for wanted in "$@"; do
    if [ "$STATUS" = "$wanted" ]; then
      return 0
    fi
  done
  echo "$method $path answered $STATUS: $ANSWER" >&2
  exit 1
}

name="示例玩家-$PLAYER"
call POST /open/v1/players "{\"players\":[{\"player_id\":\"$PLAYER\",\"user_name\":\"$name\"}]}"
expect 200
echo "player: $ANSWER"

deposit="{\"order_no\":\"$(openssl rand -hex 8)\",\"player_id\":\"$PLAYER\",\"user_name\":\"$name\""
deposit="$deposit,\"amount\":\"120.00\",\"channel\":3,\"client\":2"
deposit="$deposit,\"created_at\":\"$(date -u +%Y-%m-%dT%H:%M:%SZ)\"}"
call POST /open/v1/deposits "{\"deposits\":[$deposit]}"
expect 200
echo "deposit: $ANSWER"
if [ "$(field accepted)" != 1 ]; then
  echo "the deposit was not accepted" >&2
  exit 1
fi

call GET '/open/v1/rounds?active=1'
expect 200
rounds=$(printf %s "$ANSWER" | grep -o '"rounds_id":[0-9]*' | cut -d: -f2)
round=
for id in $rounds; do
  call GET "/open/v1/rounds/$id/chances?player_id=$PLAYER"
  expect 200
  echo "chances in round $id: $ANSWER"
  if [ -z "$round" ] && [ "$(field remain)" -gt 0 ]; then
    round=$id
  fi
done
if [ -z "$round" ]; then
  echo "no active round has a draw for $PLAYER" >&2
  exit 1
fi

# Keep the request_id with your own record of the click, before you call: it makes repeating safe.
request=$(openssl rand -hex 16)
draw="{\"request_id\":\"$request\",\"rounds_id\":$round,\"player_id\":\"$PLAYER\"}"
call POST /open/v1/draws "$draw"
expect 201
first=$ANSWER
echo "drawn: $first"

call POST /open/v1/draws "$draw"
expect 200
if [ "$ANSWER" != "$first" ]; then
  echo "the repeated draw is another one: $ANSWER" >&2
  exit 1
fi
echo "repeated: the same record, $(field log_id)"

# Money is on its way for a moment; a thing is, until somebody hands it over.
asked=0
while :; do
  call GET "/open/v1/draws/$request"
  expect 200
  asked=$((asked + 1))
  if [ "$(field award_status)" != 0 ] || [ "$(field type)" != virtual ] || [ "$asked" -ge 30 ]; then
    break
  fi
  sleep 1
done
echo "award_status: $(field award_status)"
