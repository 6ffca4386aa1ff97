<?php

declare(strict_types=1);

function order_file(string $id): string
{
    $folder = getenv('ORDERS_DIR') ?: __DIR__ . '/orders';
    if (!is_dir($folder)) {
        mkdir($folder, 0700, true);
    }
    return "$folder/$id.json";
}

/** Ids are parts of file names. */
function is_order_id(string $id): bool
{
    return preg_match('/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/D', $id) === 1;
}

/** A UUID v4. */
function new_order_id(): string
{
    $bytes = random_bytes(16);
    $bytes[6] = chr(ord($bytes[6]) & 0x0f | 0x40);
    $bytes[8] = chr(ord($bytes[8]) & 0x3f | 0x80);
    return vsprintf('%s%s-%s-%s-%s-%s%s%s', str_split(bin2hex($bytes), 4));
}

function find_order(string $id): ?array
{
    if (!is_order_id($id) || !is_file(order_file($id))) {
        return null;
    }
    return json_decode((string) file_get_contents(order_file($id)), true, flags: JSON_THROW_ON_ERROR);
}

/** Returns the order with this id, which is created unless it exists. */
function open_order(string $id, int $amount): array
{
    return change_order($id, fn (?array $order) => $order ?? [
        'id' => $id,
        'amount' => $amount,
        'pixCode' => null,
        'qrCode' => null,
        'paidAt' => null,
    ]);
}

function save_code(string $id, string $pixCode, string $qrCode): void
{
    change_order($id, fn (array $order) => [...$order, 'pixCode' => $pixCode, 'qrCode' => $qrCode]);
}

/** Returns false if the order was paid before, or does not exist. */
function mark_paid(string $id, int $amount, string $paidAt): bool
{
    $isFirst = false;
    change_order($id, function (?array $order) use ($amount, $paidAt, &$isFirst): ?array {
        $isFirst = $order !== null && $order['amount'] === $amount && $order['paidAt'] === null;
        return $isFirst ? [...$order, 'paidAt' => $paidAt] : $order;
    });
    return $isFirst;
}

/** Changes an order, one request at a time. Replaces its file, so that it is never half written. */
function change_order(string $id, callable $change): ?array
{
    $lock = fopen(order_file('lock'), 'c');
    flock($lock, LOCK_EX);
    $order = find_order($id);
    $changed = $change($order);
    if ($changed !== $order) {
        file_put_contents(order_file("$id.new"), json_encode($changed, JSON_THROW_ON_ERROR));
        rename(order_file("$id.new"), order_file($id));
    }
    fclose($lock);
    return $changed;
}
