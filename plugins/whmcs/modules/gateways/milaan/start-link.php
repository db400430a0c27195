<?php

namespace Milaan\Whmcs;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

/** An invoice page left open overnight still works. */
const TOKEN_SECONDS = 86400;

/**
 * Proves that WHMCS showed this invoice to the person who presses the button. Otherwise strangers could make orders for
 * any invoice number, learn its amount and hold amounts that customers need.
 */
function start_token(int $invoice, string $key, int $now): string
{
    return $now . '.' . hash_hmac('sha256', "milaan-start.$invoice.$now", $key);
}

function is_start_token(string $token, int $invoice, string $key, int $now): bool
{
    // Anybody could sign with an empty key.
    if ($key === '' || !preg_match('/^(\d{1,12})\.[0-9a-f]{64}$/D', $token, $found)) {
        return false;
    }
    $age = $now - (int) $found[1];
    return $age >= 0 && $age <= TOKEN_SECONDS && hash_equals(start_token($invoice, $key, (int) $found[1]), $token);
}

/** A second press within this time gets the same id, so it makes no second order. */
const SLOT_SECONDS = 120;

/**
 * Milaan's id for this attempt: the invoice, the amount in paise, the time slot and the WHMCS. The last part keeps a
 * copy (a staging site) with the same invoices apart.
 */
function attempt_id(int $invoice, int $paise, string $systemUrl, int $now): string
{
    return "whmcs-$invoice-$paise-" . intdiv($now, SLOT_SECONDS) . '-' . substr(hash('sha256', rtrim($systemUrl, '/')), 0, 8);
}

/** Invoice and paise from an id that this WHMCS made, or null. */
function read_attempt_id(string $id, string $systemUrl): ?array
{
    if (!preg_match('/^whmcs-(\d{1,9})-(\d{1,9})-\d{1,9}-([0-9a-f]{8})$/D', $id, $found)) {
        return null;
    }
    if ($found[3] !== substr(hash('sha256', rtrim($systemUrl, '/')), 0, 8)) {
        return null;
    }
    return ['invoice' => (int) $found[1], 'paise' => (int) $found[2]];
}

/** Amounts are compared as whole paise, because floats with the same rupees need not be equal. */
function paise($rupees): int
{
    return is_numeric($rupees) ? (int) round((float) $rupees * 100) : 0;
}
