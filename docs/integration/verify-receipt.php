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

/** A file's values: one, or one a line. */
function values(string $file): array
{
    $text = trim(file_get_contents($file));
    $whole = json_decode($text, true);
    $lines = fn () => array_map(fn ($line) => json_decode($line, true), explode("\n", $text));
    return $whole === null ? $lines() : [$whole];
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
function faults(array $receipt, string $key, ?string $player, ?array $known): array
{
    ['facts' => $facts, 'block' => $block] = $receipt;
    ['no' => $no, 'prev' => $prev, 'hash' => $hash] = $block;
    if (array_diff(array_keys($facts), FACTS) !== []) {
        return ['no receipt: there are facts that are not sealed'];
    }
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
    if (!sodium_crypto_sign_verify_detached(base64_decode($block['signature']), $signed, $key)) {
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
    if ($player !== null && bin2hex(sha256(hex2bin($salt) . $player)) !== $facts['player']) {
        $found[] = "player: salt and $player do not lead to the sealed player";
    }
    return $found;
}

$options = getopt('', ['key:', 'player:', 'checkpoints:'], $rest);
$files = array_slice($argv, $rest);
$key = base64_decode($options['key'] ?? '');
if (strlen($key) !== 32 || $files === []) {
    fwrite(STDERR, "usage: verify-receipt.php --key BASE64 (32 bytes) [--player ID] [--checkpoints FILE] RECEIPT…\n");
    exit(2);
}
$known = null;
if (isset($options['checkpoints'])) {
    $lists = array_map(fn ($one) => $one['checkpoints'] ?? [$one], values($options['checkpoints']));
    $known = array_merge(...$lists);
}
[$count, $held] = [0, 0];
set_error_handler(fn ($_, $message) => throw new ErrorException($message));
foreach ($files as $file) {
    foreach (values($file) as $at => $receipt) {
        try {
            $found = faults($receipt, $key, $options['player'] ?? null, $known);
        } catch (Throwable $fault) {
            $found = ["no receipt: {$fault->getMessage()}"];
        }
        $count += 1;
        $held += $found === [] ? 1 : 0;
        foreach ($found as $one) {
            $number = $at + 1;
            echo "OFFENCE $file:$number, record " . ($receipt['facts']['log_id'] ?? '') . ": $one\n";
        }
    }
}
echo "$held of $count receipts hold\n";
exit($held === $count ? 0 : 1);
