<?php

declare(strict_types=1);

require __DIR__ . '/orders.php';
require __DIR__ . '/pages.php';
require __DIR__ . '/vereda.php';

const PRICE_CENTS = 4990;

$path = (string) parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$route = $_SERVER['REQUEST_METHOD'] . ' ' . $path;

if ($route === 'GET /') {
    respond(200, checkout_page(new_order_id(), PRICE_CENTS));
} elseif ($route === 'POST /checkout') {
    checkout($_POST);
} elseif (str_starts_with($route, 'GET /orders/')) {
    show_order(basename($path));
} elseif ($route === 'POST /webhooks') {
    receive_event((string) file_get_contents('php://input'));
} else {
    respond(404, message_page('Página não encontrada.'));
}

function respond(int $status, string $body = ''): void
{
    http_response_code($status);
    echo $body;
}

function checkout(array $form): void
{
    $id = (string) ($form['orderId'] ?? '');
    if (!is_order_id($id)) {
        respond(400, message_page('Recarregue a página da loja e tente novamente.'));
        return;
    }
    $order = open_order($id, PRICE_CENTS);
    if ($order['pixCode'] === null) {
        // If this program stops before it saves the code, the same form gets the same transaction.
        [$status, $answer] = vereda_post('/transactions', transaction_of($order, $form), idempotencyKey: $id);
        if ($status === 400 && $answer['code'] === 'validation_failed') {
            respond(422, checkout_page($id, PRICE_CENTS, array_column($answer['errors'], 'path')));
            return;
        }
        if ($status !== 201) {
            error_log("The gateway responded with status $status.");
            respond(502, message_page('O pagamento não pôde ser criado. Recarregue a página.'));
            return;
        }
        save_code($id, $answer['data']['pixQrCode'], $answer['data']['pixQrCodeBase64']);
    }
    header("Location: /orders/$id");
    respond(303);
}

function transaction_of(array $order, array $form): array
{
    $customer = ['documentType' => 'CPF'];
    foreach (['name', 'email'] as $field) {
        $customer[$field] = $form[$field] ?? '';
    }
    // People type these with punctuation, which the API does not accept.
    foreach (['phone', 'document'] as $field) {
        $customer[$field] = preg_replace('/\D/', '', (string) ($form[$field] ?? ''));
    }
    return [
        'amount' => $order['amount'],
        'method' => 'PIX',
        'externalRef' => $order['id'],
        'customer' => $customer,
        'items' => [['title' => 'Caneca', 'amount' => $order['amount'], 'quantity' => 1, 'tangible' => true]],
    ];
}

function show_order(string $id): void
{
    $order = find_order($id);
    if ($order === null || $order['pixCode'] === null) {
        respond(404, message_page('Pedido não encontrado.'));
    } else {
        respond(200, order_page($order));
    }
}

/** Events arrive more than once and in any order, so only the first payment changes the order. */
function receive_event(string $body): void
{
    // The signature is that of the raw body.
    $event = verify_webhook($body, (string) getenv('VEREDA_WEBHOOK_SECRET'));
    if ($event === null) {
        respond(400, 'invalid signature');
        return;
    }
    if ($event['event'] === 'TRANSACTION_UPDATED' && $event['data']['status'] === 'PAID') {
        ['externalRef' => $id, 'amount' => $amount, 'paidAt' => $paidAt] = $event['data'];
        if (mark_paid((string) $id, $amount, $paidAt)) {
            error_log("Order $id is paid.");
        }
    }
    respond(204);
}
