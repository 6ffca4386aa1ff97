<?php

declare(strict_types=1);

const SIGNATURE_TOLERANCE_SECONDS = 300;

/** Calls the API. Returns the status, or 0 without a response, and the body. */
function vereda_post(string $path, array $body, string $idempotencyKey): array
{
    $url = (getenv('VEREDA_URL') ?: 'http://127.0.0.1:8080') . "/v1$path";
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => [
            'content-type: application/json',
            'x-api-key: ' . getenv('VEREDA_API_KEY'),
            "idempotency-key: $idempotencyKey",
        ],
        'content' => json_encode($body, JSON_THROW_ON_ERROR),
        'timeout' => 30,
        'follow_location' => 0,
        'ignore_errors' => true,
    ]]);
    $stream = @fopen($url, 'r', false, $context);
    if ($stream === false) {
        return [0, []];
    }
    [$statusLine] = stream_get_meta_data($stream)['wrapper_data'];
    $answer = json_decode((string) stream_get_contents($stream), true);
    return [(int) explode(' ', $statusLine)[1], is_array($answer) ? $answer : []];
}

/** Returns the event of a webhook, or null if the signature is invalid. Standard Webhooks 1.0. */
function verify_webhook(string $body, string $secret): ?array
{
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    $signatures = explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '');
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
    // With an empty key, anyone could sign.
    if ($key === false || $key === '' || abs(time() - (int) $timestamp) > SIGNATURE_TOLERANCE_SECONDS) {
        return null;
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    foreach ($signatures as $signature) {
        if (hash_equals($expected, $signature)) {
            return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        }
    }
    return null;
}
