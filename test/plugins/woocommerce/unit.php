<?php
/** Runs every claim against the plugin in `$argv[1]` (as it is packed) and prints one line of JSON for each. */

namespace Milaan\Woo;

define('LIVE_SECRET', 'whsec_' . base64_encode(str_repeat('l', 32)));
define('SANDBOX_SECRET', 'whsec_' . base64_encode(str_repeat('s', 32)));
require __DIR__ . '/stand-ins.php';
require $argv[1] . '/milaan-upi.php';

/** What Milaan sent to a real shop in the drill, as one of this test's own orders. */
function recorded(string $name, \WC_Order $order, string $id, array $change = []): array
{
    $event = json_decode(file_get_contents(__DIR__ . "/recorded/$name.json"), true);
    $event['data'] = $change + ['merchant_order_id' => $id, 'amount' => 500, 'payable_amount' => 500.37, 'order_id' => 'ML-0000000001'] + $event['data'];
    if (isset($event['data']['received_amount'])) {
        $event['data']['received_amount'] = $change['received_amount'] ?? 500.37;
    }
    return $event;
}

/** The status with which the plugin answers this event, signed now with this secret. */
function send(array $event, string $secret = LIVE_SECRET, int $age = 0): int
{
    $body = json_encode($event);
    $time = time() - $age;
    $signature = base64_encode(hash_hmac('sha256', "evt_1.$time.$body", base64_decode(substr($secret, 6)), true));
    return receive_webhook($body, ['HTTP_WEBHOOK_ID' => 'evt_1', 'HTTP_WEBHOOK_TIMESTAMP' => (string) $time, 'HTTP_WEBHOOK_SIGNATURE' => "v1,$signature"]);
}

/** An order of ₹500 with one open try to pay, and that try's id. */
function open_order(string $status = 'pending', array $attempt = [], int $stock = 5): array
{
    $order = new \WC_Order(count(\Shop::$orders) + 71, 500.0, $status);
    $order->items[] = new \WC_Order_Item(new \WC_Product($order->id, 'Tea', $stock), 2);
    $id = new_attempt_id($order);
    keep_attempt($order, $id, $attempt + ['mode' => 'live', 'amount' => 500, 'started' => time(), 'order_id' => 'ML-0000000001', 'payment_url' => 'https://pay.example.in/pay/x', 'told' => 'pending']);
    return [$order, $id];
}

function same($expected, $actual, string $what = ''): void
{
    if ($expected !== $actual) {
        throw new \Exception("$what expected " . json_encode($expected, JSON_UNESCAPED_UNICODE) . ', got ' . json_encode($actual, JSON_UNESCAPED_UNICODE));
    }
}

function like(string $pattern, string $actual): void
{
    if (!preg_match($pattern, $actual)) {
        throw new \Exception("expected $pattern, got $actual");
    }
}

$claims = [];
foreach (glob(__DIR__ . '/claims/*.php') as $file) {
    $claims += require $file;
}
foreach ($claims as $name => $claim) {
    \Shop::open();
    $GLOBALS['wpdb']->rows = [];
    try {
        $claim();
        $problem = null;
    } catch (\Throwable $error) {
        $problem = $error->getMessage() . ' at ' . basename($error->getFile()) . ':' . $error->getLine();
    }
    echo json_encode(['name' => $name, 'problem' => $problem], JSON_UNESCAPED_UNICODE) . "\n";
}
