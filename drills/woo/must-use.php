<?php
/** Loaded by the drill's shop before our plugin: plays a network that loses webhooks, and keeps what came. */

// WooCommerce covers the page of a shop's first order with its good wishes.
add_filter('wc_order_milestone_egg_enabled', '__return_false');
if (!file_exists(DRILL_ASIDE . '/sandbox-for-managers')) {
    define('MILAAN_SANDBOX_FOR_EVERYBODY', true);
}
if (($_GET['wc-api'] ?? '') === 'milaan') {
    $headers = array_filter($_SERVER, function ($name) {
        return strpos($name, 'HTTP_WEBHOOK_') === 0;
    }, ARRAY_FILTER_USE_KEY);
    $kept = json_encode(['headers' => $headers, 'body' => file_get_contents('php://input')]) . "\n";
    file_put_contents(DRILL_ASIDE . '/recorded.jsonl', $kept, FILE_APPEND | LOCK_EX);
    if (file_exists(DRILL_ASIDE . '/lose-webhooks')) {
        http_response_code(503);
        exit;
    }
}
