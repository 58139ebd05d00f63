<?php
// Feeds a player and a deposit, reads the player's chances, draws, and asks until the prize is paid.
// PHP 8.1 or newer (64 bit), no extension that is not always there.
//
//   RED_URL=http://127.0.0.1:8080 RED_KEY=rk_… RED_SECRET=… php draw.php [PLAYER_ID]

declare(strict_types=1);

$base = getenv('RED_URL') ?: 'http://127.0.0.1:8080';
$key = getenv('RED_KEY') ?: throw new RuntimeException('set RED_KEY to the key that redctl printed');
$secret = getenv('RED_SECRET') ?: throw new RuntimeException('set RED_SECRET to the secret that redctl printed');
$playerId = $argv[1] ?? 'example-php';

/** Text as it goes over the wire. Slashes and Chinese may stay as they are: what is signed is what is sent. */
function encode(array $content): string
{
    return json_encode($content, JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES | JSON_THROW_ON_ERROR);
}

/** The headers of one attempt; every attempt needs its own. */
function signed(string $method, string $path, string $body): array
{
    global $key, $secret;
    $timestamp = (string) time();
    $nonce = bin2hex(random_bytes(16));
    $text = implode('.', [$timestamp, $nonce, $method, $path, hash('sha256', $body)]);
    $headers = [
        "X-Key: $key",
        "X-Timestamp: $timestamp",
        "X-Nonce: $nonce",
        'X-Signature: ' . hash_hmac('sha256', $text, $secret),
        'Accept-Language: en',
    ];
    return $body === '' ? $headers : [...$headers, 'Content-Type: application/json'];
}

/** One call; repeated as it is while there is no answer, an overload or a fault of the other side. */
function call(string $method, string $path, ?array $content = null): array
{
    global $base;
    $body = $content === null ? '' : encode($content);
    for ($tries = 1; ; $tries++) {
        $http = [
            'method' => $method,
            'header' => signed($method, $path, $body),
            'timeout' => 30,
            'follow_location' => 0,
            // Answers other than 200 have a body too.
            'ignore_errors' => true,
        ];
        if ($body !== '') {
            $http['content'] = $body;
        }
        $stream = @fopen($base . $path, 'r', false, stream_context_create(['http' => $http]));
        $text = $stream === false ? '' : (string) stream_get_contents($stream);
        $lines = $stream === false ? [] : stream_get_meta_data($stream)['wrapper_data'];
        $status = (int) substr($lines[0] ?? '', 9, 3);
        if ($status !== 0 && $status < 500 && $status !== 429) {
            return [$status, $text, json_decode($text, true, 512, JSON_THROW_ON_ERROR)];
        }
        if ($tries === 5) {
            throw new RuntimeException("$method $path answered $status: $text");
        }
        sleep($tries);
    }
}

/** A call that must be answered with this status. */
function must(int $wanted, string $method, string $path, ?array $content = null): array
{
    [$status, $text, $json] = call($method, $path, $content);
    if ($status !== $wanted) {
        throw new RuntimeException("$method $path answered $status: $text");
    }
    return [$text, $json];
}

$player = ['player_id' => $playerId, 'user_name' => "示例玩家-$playerId"];
[$text] = must(200, 'POST', '/open/v1/players', ['players' => [$player]]);
echo "player: $text\n";

$deposit = [
    'order_no' => bin2hex(random_bytes(8)),
    ...$player,
    'amount' => '120.00',
    'channel' => 3,
    'client' => 2,
    'created_at' => (new DateTimeImmutable())->format('Y-m-d\TH:i:s.vP'),
];
[$text, $fed] = must(200, 'POST', '/open/v1/deposits', ['deposits' => [$deposit]]);
echo "deposit: $text\n";
if ($fed['accepted'] !== 1) {
    throw new RuntimeException('the deposit was not accepted');
}

[, $open] = must(200, 'GET', '/open/v1/rounds?active=1');
$chosen = null;
foreach ($open['rounds'] as ['rounds_id' => $id, 'rounds_name' => $name]) {
    [$text, $chances] = must(200, 'GET', "/open/v1/rounds/$id/chances?player_id=" . rawurlencode($playerId));
    echo "chances in round $id ($name): $text\n";
    $chosen ??= $chances['remain'] > 0 ? $id : null;
}
if ($chosen === null) {
    throw new RuntimeException("no active round has a draw for $playerId");
}

// Keep the request_id with your own record of the click, before you call: it makes repeating safe.
$draw = ['request_id' => bin2hex(random_bytes(16)), 'rounds_id' => $chosen, 'player_id' => $playerId];
[$first] = must(201, 'POST', '/open/v1/draws', $draw);
echo "drawn: $first\n";

[$again, $record] = must(200, 'POST', '/open/v1/draws', $draw);
if ($again !== $first) {
    throw new RuntimeException("the repeated draw is another one: $again");
}
echo "repeated: the same record, {$record['log_id']}\n";

// Money is on its way for a moment; a thing is, until somebody hands it over.
[, $found] = must(200, 'GET', "/open/v1/draws/{$draw['request_id']}");
for ($asked = 1; $found['award_status'] === 0 && $found['type'] === 'virtual' && $asked < 30; $asked++) {
    sleep(1);
    [, $found] = must(200, 'GET', "/open/v1/draws/{$draw['request_id']}");
}
echo "award_status: {$found['award_status']}\n";
