<?php

namespace Milaan\Woo;

use Milaan\MilaanError;

defined('ABSPATH') || exit;

function answer_test(): void
{
    require_shop_manager();
    check_admin_referer('milaan_connection', 'milaan_nonce');
    back_to_settings(test_connection(($_GET['what'] ?? '') === 'sandbox' ? 'sandbox' : 'live'));
}

/** Tests both directions, in words: whether Milaan accepts our key, and whether a webhook could reach us. */
function test_connection(string $mode): array
{
    $connection = connection($mode);
    if ($connection === null) {
        return [['error', __('Not connected.', 'milaan-upi')]];
    }
    try {
        client($connection)->listOrders(['limit' => 1]);
        $told = [['success', __('Milaan answers and takes the key.', 'milaan-upi')]];
    } catch (MilaanError $error) {
        /* translators: %s: what went wrong */
        $told = [['error', sprintf(__('Milaan does not take the key: %s', 'milaan-upi'), $error->getMessage())]];
    }
    $told[] = test_webhook_address();
    return $told;
}

/** Our endpoint must refuse an unsigned event with 400. A redirect or a maintenance page would swallow real events. */
function test_webhook_address(): array
{
    try {
        $status = ask('POST', webhook_url(), ['Content-Type' => 'application/json'], '{}', 8000)['status'];
    } catch (\RuntimeException $error) {
        /* translators: 1: address, 2: what went wrong */
        return ['warning', sprintf(__('This server could not ask its own address %1$s (%2$s). Press "Send a test event" on Milaan\'s Webhooks screen to see whether Milaan can.', 'milaan-upi'), webhook_url(), $error->getMessage())];
    }
    return $status === 400
        ? ['success', __('News of payments can reach this shop.', 'milaan-upi')]
        /* translators: 1: address, 2: an HTTP status */
        : ['error', sprintf(__('News of payments cannot reach this shop: %1$s answers %2$d. A redirect, a maintenance mode or a security plugin stands in between.', 'milaan-upi'), webhook_url(), $status)];
}
