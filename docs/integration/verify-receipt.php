<?php
// Checks receipts of draws (docs/integration.md, section 11), as tools/verify-receipt.mjs does in Node.
// PHP 8.1 or newer (64 bit) with the extension sodium, which PHP brings along.
//
//   php verify-receipt.php --key BASE64 [--player ID] [--checkpoints FILE] RECEIPT…

declare(strict_types=1);

const FACTS = [
    'log_id', 'rounds_id', 'player', 'draw_no', 'prize_id', 'award_name', 'award_price_cents', 'turnover',
    'rule_version', 'rule_hash', 'pool_id', 'pool_version', 'pool_hash', 'ticket', 'fallback_ticket',
    'exhausted_hash', 'extra_time_id', 'created_at', 'trans_sn',
];

/** Ends: nothing was checked. */
function unusable(string $why): never
{
    fwrite(STDERR, "$why\n");
    exit(2);
}

/** A file's values, at least one: one, or one a line. What is no JSON is null. */
function values(string $file): array
{
    $text = @file_get_contents($file);
    $text = trim($text === false ? unusable("$file: cannot be read") : $text);
    if ($text === '') {
        unusable("$file: is empty");
    }
    $whole = json_decode($text, true);
    $lines = fn () => array_map(fn ($line) => json_decode($line, true), preg_split('/\s*\n/', $text));
    return $whole === null ? $lines() : [$whole];
}

function isHash(mixed $value): bool
{
    return is_string($value) && preg_match('/^[0-9a-f]{64}$/D', $value) === 1;
}

/** What keeps this from being read as a receipt; null when nothing does. */
function misshapen(mixed $receipt): ?string
{
    [$facts, $block, $path] = [$receipt['facts'] ?? [], $receipt['block'] ?? [], $receipt['path'] ?? null];
    $names = array_keys((array) $facts);
    [$missing, $strange] = [implode(',', array_diff(FACTS, $names)), implode(',', array_diff($names, FACTS))];
    if ($missing . $strange !== '') {
        return "facts missing: [$missing], not sealed: [$strange]";
    }
    $numbers = [$facts['log_id'], $facts['rounds_id'], $receipt['index'] ?? null, $receipt['size'] ?? null];
    $isCounted = min(array_map(fn ($one) => is_int($one) && $one >= 0, [...$numbers, $block['no'] ?? null]));
    $isHashed = isHash($block['prev'] ?? null) && isHash($block['hash'] ?? null);
    $isPath = is_string($path) && preg_match('/^([0-9a-f]{64})*$/D', $path) === 1;
    return $isCounted && $isHashed && $isPath ? null : 'no such number or hash';
}

function sha256(string $bytes): string
{
    return hash('sha256', $bytes, true);
}

/** Root of the block's tree (RFC 6962 §2.1.1); null when index, size and path do not fit together. */
function rootOf(string $leaf, array $receipt): ?string
{
    ['index' => $at, 'size' => $size, 'path' => $path] = $receipt;
    $last = $size - 1;
    $beside = $path === '' ? [] : str_split(hex2bin($path), 32);
    if ($at < 0 || $at > $last) {
        return null;
    }
    for ($node = $leaf; $last > 0; $at >>= 1, $last >>= 1) {
        if ($at % 2 === 0 && $at === $last) {
            continue; // No neighbour: it moves up as it is.
        }
        if ($beside === []) {
            return null;
        }
        $next = array_shift($beside);
        $node = sha256("\x01" . ($at % 2 === 0 ? $node . $next : $next . $node));
    }
    return $beside === [] ? $node : null;
}

/** What is wrong with a receipt; `known` are checkpoints that were kept, or null. */
function faults(mixed $receipt, string $key, ?string $player, ?array $known): array
{
    $shape = misshapen($receipt);
    if ($shape !== null) {
        return ["no receipt: $shape"];
    }
    ['facts' => $facts, 'block' => $block] = $receipt;
    ['no' => $no, 'prev' => $prev, 'hash' => $hash] = $block;
    $flags = JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_LINE_TERMINATORS;
    $values = array_map(fn ($name) => $facts[$name], FACTS);
    $record = sha256(json_encode($values, $flags | JSON_THROW_ON_ERROR));
    $leaf = sha256("\x00" . pack('JN', $facts['log_id'], $facts['rounds_id']) . $record);
    $root = rootOf($leaf, $receipt);
    $found = [];
    if ($root === null) {
        $found[] = 'path: does not fit index and size';
    } elseif (sha256(hex2bin($prev) . pack('J', $no) . $root) !== hex2bin($hash)) {
        $found[] = "facts or path: do not lead to the hash of block $no";
    }
    $signed = "red-packet checkpoint 1\n$no\n$prev\n$hash\n";
    $signature = $block['signature'] ?? null;
    $is64Bytes = is_string($signature) && preg_match('#^[A-Za-z0-9+/]{86}==$#D', $signature) === 1;
    if (!$is64Bytes || !sodium_crypto_sign_verify_detached(base64_decode($signature), $signed, $key)) {
        $found[] = "block $no: number, prev and hash are not what this key has signed";
    }
    $same = array_filter($known ?? [], fn ($one) => $one['no'] === $no);
    if ($known !== null && $same === []) {
        $found[] = "block $no is not in the list of checkpoints";
    }
    if (array_filter($same, fn ($one) => $one['prev'] !== $prev || $one['hash'] !== $hash) !== []) {
        $found[] = "block $no is another one in the list of checkpoints";
    }
    $salt = $receipt['salt'] ?? '';
    if ($player !== null && !isHash($salt)) {
        $found[] = 'player: cannot be checked without salt';
    } elseif ($player !== null && bin2hex(sha256(hex2bin($salt) . $player)) !== $facts['player']) {
        $found[] = "player: salt and $player do not lead to the sealed player";
    }
    return $found;
}

$options = getopt('', ['key:', 'player:', 'checkpoints:'], $rest);
$files = array_slice($argv, $rest);
$strange = preg_grep('/^-(?!-(key|player|checkpoints)(=|$))/', array_slice($argv, 1, $rest - 1));
$twice = array_filter($options, 'is_array');
$key = $twice === [] ? base64_decode($options['key'] ?? '') : '';
if (strlen($key) !== 32 || $files === [] || $strange !== []) {
    $why = $strange === [] ? '' : "Unknown option '" . implode(' ', $strange) . "'; ";
    unusable("{$why}usage: verify-receipt.php --key BASE64 (32 bytes) [--player ID] [--checkpoints FILE] RECEIPT…");
}
$known = null;
if (isset($options['checkpoints'])) {
    $file = $options['checkpoints'];
    $lists = array_map(fn ($one) => (array) ($one['checkpoints'] ?? [$one]), values($file));
    $known = array_merge(...$lists);
    foreach ($known as $one) {
        if (!isHash($one['prev'] ?? null) || !isHash($one['hash'] ?? null) || !isset($one['no'])) {
            unusable("$file: holds something else than checkpoints");
        }
    }
}
$lists = array_map('values', $files);
[$count, $held] = [0, 0];
set_error_handler(fn ($_, $message) => throw new ErrorException($message));
foreach ($files as $place => $file) {
    foreach ($lists[$place] as $at => $receipt) {
        try {
            $found = faults($receipt, $key, $options['player'] ?? null, $known);
        } catch (Throwable $fault) {
            $found = ["no receipt: {$fault->getMessage()}"];
        }
        $count += 1;
        $held += $found === [] ? 1 : 0;
        foreach ($found as $one) {
            $id = $receipt['facts']['log_id'] ?? '?';
            echo "OFFENCE $file:" . $at + 1 . ', record ' . (is_int($id) ? $id : '?') . ": $one\n";
        }
    }
}
echo "$held of $count receipts hold\n";
exit($held === $count ? 0 : 1);
