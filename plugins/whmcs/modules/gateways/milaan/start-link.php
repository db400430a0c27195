<?php

namespace Milaan\Whmcs;

if (!defined('WHMCS')) {
    die('This file cannot be accessed directly');
}

/** An invoice's page that was left open overnight still pays. */
const TOKEN_SECONDS = 86400;

/**
 * Proves that WHMCS showed this invoice to whoever presses the button: without it strangers could make orders for any
 * invoice number, learn its sum, and hold amounts that customers need.
 */
function start_token(int $invoice, string $key, int $now): string
{
    return $now . '.' . hash_hmac('sha256', "milaan-start.$invoice.$now", $key);
}

function is_start_token(string $token, int $invoice, string $key, int $now): bool
{
    // An empty key would be one that everybody knows.
    if ($key === '' || !preg_match('/^(\d{1,12})\.[0-9a-f]{64}$/D', $token, $found)) {
        return false;
    }
    $age = $now - (int) $found[1];
    return $age >= 0 && $age <= TOKEN_SECONDS && hash_equals(start_token($invoice, $key, (int) $found[1]), $token);
}

/** A link that was just made is found again by its id: a second press makes no second order. */
const SLOT_SECONDS = 120;

/**
 * The id under which Milaan knows this try: the invoice, the sum in paise, the time it was begun in, and the WHMCS it
 * is from, since a copy of it (a staging site) has the same invoices.
 */
function attempt_id(int $invoice, int $paise, string $systemUrl, int $now): string
{
    return "whmcs-$invoice-$paise-" . intdiv($now, SLOT_SECONDS) . '-' . substr(hash('sha256', rtrim($systemUrl, '/')), 0, 8);
}

/** Invoice and paise of an id that this WHMCS made, or null. */
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

/** Sums are compared as whole paise: floats that mean the same rupees need not be equal. */
function paise($rupees): int
{
    return is_numeric($rupees) ? (int) round((float) $rupees * 100) : 0;
}
