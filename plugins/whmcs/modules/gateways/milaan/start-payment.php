<?php

namespace Milaan\Whmcs;

use Milaan\Milaan;
use Milaan\MilaanError;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

const MOST_PAISE = 100000000;
const PAYABLE_STATUSES = ['Unpaid', 'Payment Pending', 'Collections'];

/** Its message is shown to the customer. */
final class CannotPay extends \RuntimeException
{
}

/** The customer's next page: the payment page, or the invoice if it needs no payment any more. */
function start_payment(int $id, array $gateway, int $now): string
{
    $invoice = invoice_of($id);
    if ($invoice === null || !in_array($invoice['status'], PAYABLE_STATUSES, true) || $invoice['paise'] < 1) {
        return invoice_address($id, $gateway);
    }
    if ($invoice['currency'] !== 'INR') {
        throw new CannotPay('UPI takes Indian rupees only. Please choose another way to pay.');
    }
    if ($invoice['paise'] > MOST_PAISE) {
        throw new CannotPay('This sum cannot be paid by UPI. Please choose another way to pay.');
    }
    try {
        $milaan = new Milaan((string) $gateway['baseUrl'], (string) $gateway['apiKey'], ['timeoutMs' => 8000, 'retries' => 1]);
        $order = $milaan->createOrder(order_for($invoice, $gateway, $now));
    } catch (MilaanError $error) {
        logTransaction($gateway['name'], ['invoice' => $id, 'code' => $error->code, 'said' => $error->getMessage()], 'Not started');
        throw new CannotPay($error->status === 402
            ? "This shop can't take new UPI payments here right now. Please contact the shop."
            : 'The payment could not be started. Please try again in a moment.');
    } catch (\InvalidArgumentException $settings) {
        logTransaction($gateway['name'], $settings->getMessage(), 'Not started');
        throw new CannotPay('UPI payments are not set up yet. Please choose another way to pay.');
    }
    return (string) $order['payment_url'];
}

function order_for(array $invoice, array $gateway, int $now): array
{
    $root = rtrim((string) $gateway['systemurl'], '/');
    $customer = array_filter([
        'email' => filter_var($invoice['email'], FILTER_VALIDATE_EMAIL) ? $invoice['email'] : null,
        'name' => preg_match('/^.{1,120}/us', $invoice['name'], $found) ? $found[0] : null,
    ]);
    return array_filter([
        'amount' => $invoice['paise'] / 100,
        'merchant_order_id' => attempt_id($invoice['id'], $invoice['paise'], $root, $now),
        'success_url' => invoice_address($invoice['id'], $gateway),
        'failure_url' => invoice_address($invoice['id'], $gateway),
        'webhook_url' => "$root/modules/gateways/callback/milaan.php",
        'customer' => $customer,
        'payment_account_id' => trim((string) ($gateway['paymentAccountId'] ?? '')),
    ]);
}

function invoice_address(int $id, array $gateway): string
{
    return rtrim((string) $gateway['systemurl'], '/') . "/viewinvoice.php?id=$id";
}
