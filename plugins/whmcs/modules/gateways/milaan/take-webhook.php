<?php

namespace Milaan\Whmcs;

use Milaan\Milaan;
use Milaan\WebhookRefused;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

const LONGEST_WEBHOOK = 65536;
/** WHMCS expects money in these; money for a paid invoice becomes credit. In other states a person decides. */
const OPEN_STATUSES = ['Unpaid', 'Payment Pending', 'Collections', 'Paid'];

/**
 * Returns the webhook's status: 2xx once the payment is in WHMCS or with a person. After any other status Milaan sends
 * it again. Payments are added only here, and only with a valid signature.
 */
function take_webhook(string $body, array $headers, array $gateway): int
{
    if (strlen($body) > LONGEST_WEBHOOK) {
        return 413;
    }
    try {
        $event = Milaan::verifyWebhook($body, $headers, (string) $gateway['webhookSecret']);
    } catch (WebhookRefused $refused) {
        logTransaction($gateway['name'], ['refused' => $refused->reason], 'Refused');
        return 400;
    } catch (\InvalidArgumentException $unusable) {
        logTransaction($gateway['name'], ['refused' => 'the webhook secret in the settings is not one'], 'Refused');
        return 500;
    }
    // The test button's event, and types that a newer Milaan may send.
    if ($event['type'] !== 'payment.paid' || !is_array($event['data'])) {
        return 204;
    }
    $news = $event['data'];
    $attempt = read_attempt_id((string) ($news['merchant_order_id'] ?? ''), (string) $gateway['systemurl']);
    if ($attempt === null || ($news['status'] ?? null) !== 'paid') {
        // An order of another program that the same business uses.
        return 204;
    }
    if (!lock_invoice($attempt['invoice'])) {
        return 503;
    }
    return settle($attempt, $news, $gateway);
}

function settle(array $attempt, array $news, array $gateway): int
{
    $transaction = (string) ($news['order_id'] ?? '');
    $sum = sum_to_add($attempt, $news);
    $words = rupees_text($news['received_amount'] ?? $news['payable_amount'] ?? 0) . " came for invoice {$attempt['invoice']} (Milaan's order $transaction, bank reference " . ($news['bank_reference'] ?? 'none') . ').';
    $invoice = invoice_of($attempt['invoice']);
    if ($invoice !== null && in_array($transaction, $invoice['transactions'], true)) {
        return 204;
    }
    if ($transaction === '' || $sum === null) {
        tell_admins($gateway['name'], "$words The sum is not what this invoice's link was made for, and nothing was added.", $news);
        return 204;
    }
    if ($invoice === null || $invoice['currency'] !== 'INR' || !in_array($invoice['status'], OPEN_STATUSES, true)) {
        $state = $invoice === null ? 'not there any more' : "\"{$invoice['status']}\" in {$invoice['currency']}";
        tell_admins($gateway['name'], "$words The invoice is $state, and nothing was added. Place the money by hand or give it back.", $news);
        return 204;
    }
    // WHMCS's own two checks. Each ends the program if something is wrong.
    $id = checkCbInvoiceID($attempt['invoice'], $gateway['name']);
    checkCbTransID($transaction);
    addInvoicePayment($id, $transaction, $sum / 100, 0, $gateway['paymentmethod']);
    $after = invoice_of($attempt['invoice']);
    if (!in_array($transaction, $after['transactions'] ?? [], true)) {
        logTransaction($gateway['name'], facts_of($news), 'WHMCS did not add it');
        return 500;
    }
    logTransaction($gateway['name'], facts_of($news), $sum < $attempt['paise'] ? 'Success, less than was asked for' : 'Success');
    if ($sum !== $invoice['paise']) {
        tell_admins($gateway['name'], "$words The invoice had " . rupees_text($invoice['paise'] / 100) . ' to pay when it came: what is over is credit, what is missing is still open.', $news);
    }
    return 204;
}

/**
 * Paise to add: the link's amount without the few that Milaan adds to distinguish payments, and never more than came.
 * If a person accepted less in Milaan, that amount. Null if the event contradicts our own id.
 */
function sum_to_add(array $attempt, array $news): ?int
{
    $asked = paise($news['payable_amount'] ?? null);
    $received = paise($news['received_amount'] ?? $news['payable_amount'] ?? null);
    if ($attempt['paise'] < 1 || paise($news['amount'] ?? null) !== $attempt['paise'] || $asked < $attempt['paise'] || $received < 1) {
        return null;
    }
    return min($attempt['paise'], $received);
}

function rupees_text($rupees): string
{
    return 'Rs ' . number_format((float) $rupees, 2, '.', '');
}
