<?php

namespace Milaan\Whmcs;

use WHMCS\Database\Capsule;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

/** An invoice with its client's currency from WHMCS's own API; null if there is none. */
function invoice_of(int $id): ?array
{
    $invoice = localAPI('GetInvoice', ['invoiceid' => $id]);
    if (($invoice['result'] ?? '') !== 'success') {
        return null;
    }
    $client = localAPI('GetClientsDetails', ['clientid' => $invoice['userid'], 'stats' => false]);
    return [
        'id' => $id,
        'status' => (string) $invoice['status'],
        'paise' => paise($invoice['balance']),
        'currency' => (string) ($client['currency_code'] ?? $client['client']['currency_code'] ?? ''),
        'transactions' => array_column($invoice['transactions']['transaction'] ?? [], 'transid'),
        'email' => (string) ($client['email'] ?? $client['client']['email'] ?? ''),
        'name' => trim((string) ($client['fullname'] ?? $client['client']['fullname'] ?? '')),
    ];
}

/**
 * Locks an invoice. WHMCS looks for a transaction and then adds it, so two simultaneous deliveries would both find
 * none. The database holds the lock and frees it when this process ends, however it ends.
 */
function lock_invoice(int $id): bool
{
    $ask = Capsule::connection()->getPdo()->prepare('select get_lock(?, 10)');
    $ask->execute(["milaan-invoice-$id"]);
    return (int) $ask->fetchColumn() === 1;
}

/** Money that a person has to assign. The administrators get a mail, and the gateway log has the facts. */
function tell_admins(string $gateway, string $what, array $news): void
{
    logTransaction($gateway, ['what' => $what] + facts_of($news), 'Needs a person');
    localAPI('SendAdminEmail', [
        'customsubject' => 'A UPI payment needs you',
        'custommessage' => htmlspecialchars($what, ENT_QUOTES, 'UTF-8'),
        'type' => 'account',
    ]);
}

/** The log keeps an order's facts, but never the payer. */
function facts_of(array $news): array
{
    $names = ['order_id', 'merchant_order_id', 'status', 'amount', 'payable_amount', 'received_amount', 'bank_reference', 'paid_at'];
    return array_intersect_key($news, array_flip($names));
}
