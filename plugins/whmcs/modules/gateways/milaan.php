<?php
/**
 * Milaan UPI for WHMCS. Version: 0.2.0
 *
 * Customers pay an invoice by UPI into the business's own bank account; a signed webhook, answered by
 * callback/milaan.php, is the only thing that ever adds a payment. There is no refund function: Milaan moves no money,
 * so WHMCS offers its manual refund.
 */

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

require_once __DIR__ . '/milaan/start-link.php';

function milaan_MetaData()
{
    return ['DisplayName' => 'Milaan UPI', 'APIVersion' => '1.1', 'DisableLocalCreditCardInput' => true, 'TokenisedStorage' => false];
}

function milaan_config()
{
    $field = static function (string $name, string $type, string $description): array {
        return ['FriendlyName' => $name, 'Type' => $type, 'Size' => '60', 'Default' => '', 'Description' => $description];
    };
    return [
        'FriendlyName' => ['Type' => 'System', 'Value' => 'UPI (Milaan)'],
        'baseUrl' => $field('Address of Milaan', 'text', 'Such as https://pay.example.in. A sandbox is for a WHMCS of tests: there anybody can play the payer.'),
        'apiKey' => $field('API key', 'password', "From Milaan's Integrations screen; it is shown once."),
        'webhookSecret' => $field('Webhook secret', 'password', 'From the same screen; it begins with whsec_.'),
        'paymentAccountId' => $field('UPI account', 'text', 'Empty for the default account, or the "Account ID (for the API)" of another.'),
    ];
}

/**
 * The button on an unpaid invoice. Nothing is created yet, because an order holds an exact amount for some minutes and
 * an invoice is opened often. The button leads to callback/milaan_start.php.
 */
function milaan_link($params)
{
    $currency = (string) ($params['currency'] ?? '');
    // With "Convert To For Processing" WHMCS names the gateway's currency here, and the invoice's own as the base.
    $own = (string) ($params['basecurrency'] ?? $currency);
    if ($currency !== 'INR' || $own !== 'INR') {
        return '<p>UPI takes Indian rupees only. Please choose another way to pay.</p>';
    }
    $invoice = (int) $params['invoiceid'];
    $escape = static function (string $text): string {
        return htmlspecialchars($text, ENT_QUOTES, 'UTF-8');
    };
    $action = rtrim((string) $params['systemurl'], '/') . '/modules/gateways/callback/milaan_start.php';
    return '<form method="post" action="' . $escape($action) . '">'
        . '<input type="hidden" name="invoice" value="' . $invoice . '">'
        . '<input type="hidden" name="token" value="' . $escape(Milaan\Whmcs\start_token($invoice, (string) $params['apiKey'], time())) . '">'
        . '<button type="submit" class="btn btn-success">' . $escape((string) ($params['langpaynow'] ?? 'Pay Now')) . '</button>'
        . '</form>';
}
