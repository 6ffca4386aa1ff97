<?php

declare(strict_types=1);

const FIELDS = [
    'customer.name' => 'nome completo',
    'customer.email' => 'e-mail',
    'customer.phone' => 'celular',
    'customer.document' => 'CPF',
];

function page(string $content, string $head = ''): string
{
    return <<<HTML
        <!doctype html>
        <html lang="pt-BR">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        $head
        <title>Loja</title>
        <h1>Caneca</h1>
        $content
        HTML;
}

function price(int $cents): string
{
    return 'R$ ' . number_format($cents / 100, 2, ',', '.');
}

/** `$orderId` is part of the form, so that a form that is sent twice is one order. */
function checkout_page(string $orderId, int $amount, array $invalid = []): string
{
    $price = price($amount);
    $errors = '';
    foreach ($invalid as $path) {
        $errors .= '<p role="alert">Confira o campo ' . (FIELDS[$path] ?? htmlspecialchars($path)) . '.</p>';
    }
    return page(<<<HTML
        <p>$price</p>
        $errors
        <form method="post" action="/checkout">
        <input type="hidden" name="orderId" value="$orderId">
        <p><label>Nome completo <input name="name" autocomplete="name" required></label></p>
        <p><label>E-mail <input name="email" type="email" autocomplete="email" required></label></p>
        <p><label>Celular com DDD <input name="phone" type="tel" autocomplete="tel" required></label></p>
        <p><label>CPF <input name="document" inputmode="numeric" required></label></p>
        <button>Pagar com Pix</button>
        </form>
        HTML);
}

function order_page(array $order): string
{
    if ($order['paidAt'] !== null) {
        return message_page('Pagamento confirmado. Obrigado pela compra!');
    }
    $price = price($order['amount']);
    $qrCode = htmlspecialchars((string) $order['qrCode']);
    $pixCode = htmlspecialchars((string) $order['pixCode']);
    return page(<<<HTML
        <p>Aguardando o pagamento de $price.</p>
        <p><img src="$qrCode" alt="QR Code do Pix" width="240"></p>
        <p><label>Pix copia e cola <input readonly value="$pixCode"></label></p>
        HTML, '<meta http-equiv="refresh" content="5">');
}

function message_page(string $message): string
{
    return page("<p role=\"status\">$message</p>");
}
