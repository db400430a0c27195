<?php

namespace Milaan\Woo;

return [
    'a signed payment completes the order once, with the bank\'s reference and a note in words' => function () {
        [$order, $id] = open_order();
        $event = recorded('paid', $order, $id);
        same(204, send($event));
        same(204, send($event), 'the second time');
        same('processing', $order->status);
        same(1, $order->completed);
        same($event['data']['bank_reference'], $order->transaction_id);
        same(1, count($order->notes));
        like('/^₹500\.37 received by UPI, bank reference \d{12}\. That is ₹500\.00 and ₹0\.37 by which/u', $order->notes[0]);
        same(3, $order->items[0]->get_product()->stock);
    },
    'whatever is not rightly signed, or too old, changes nothing' => function () {
        [$order, $id] = open_order();
        $event = recorded('paid', $order, $id);
        same(400, send($event, 'whsec_' . base64_encode(str_repeat('x', 32))));
        same(400, send($event, LIVE_SECRET, 600));
        same(400, receive_webhook(json_encode($event), []));
        same(413, receive_webhook(str_repeat(' ', LONGEST_WEBHOOK + 1), []));
        same('pending', $order->status);
    },
    'the sandbox cannot pay a live order, whatever it signs' => function () {
        [$order, $id] = open_order();
        same(204, send(recorded('paid', $order, $id), SANDBOX_SECRET));
        same('pending', $order->status);
        same([], $order->notes);
    },
    'a payment in the sandbox says that it is a test' => function () {
        [$order, $id] = open_order('pending', ['mode' => 'sandbox']);
        send(recorded('paid', $order, $id), SANDBOX_SECRET);
        same('processing', $order->status);
        like('/THIS IS A TEST/', $order->notes[0]);
    },
    'another try\'s Milaan order, or an unknown try, pays nothing, and the owner hears of live money' => function () {
        [$order, $id] = open_order();
        same(204, send(recorded('paid', $order, $id, ['order_id' => 'ML-0000000099'])));
        same(204, send(recorded('paid', $order, 'woo-9999-1-abcdefghij')));
        same(204, send(recorded('paid', $order, "woo-$order->id-7-abcdefghij")));
        same('pending', $order->status);
        same(3, count(\Shop::$mails));
        same(204, send(recorded('paid', $order, 'cart-1042')), 'an order of another shop of the business');
        same(3, count(\Shop::$mails));
    },
    'the test button\'s event and kinds that are not known are taken with thanks' => function () {
        same(204, send(['type' => 'webhook.test', 'timestamp' => '', 'data' => ['message' => 'hello']]));
        same(204, send(['type' => 'payment.unmatched', 'timestamp' => '', 'data' => ['amount' => 5]]));
        same(204, send(['type' => 'payment.paid', 'timestamp' => '', 'data' => null]));
    },
    'while somebody else works on the order the webhook is to come again' => function () {
        [$order, $id] = open_order();
        $GLOBALS['wpdb']->rows[LOCK_PREFIX . $order->id] = (time() - LOCK_SECONDS + 2) . ' someone';
        $begun = microtime(true);
        same(204, send(recorded('paid', $order, $id)), 'a lock whose holder died is taken over');
        like('/^[23]\./', sprintf('%.1f', microtime(true) - $begun));
        same('processing', $order->status);
        same([], $GLOBALS['wpdb']->rows);
    },
    'when WooCommerce fails, the answer is 500 and the next delivery does it' => function () {
        [$order, $id] = open_order();
        $event = recorded('paid', $order, $id);
        \Shop::$orders[$order->id] = new class($order) extends \WC_Order {
            public function __construct(\WC_Order $like)
            {
                parent::__construct($like->id);
                $this->meta = &$like->meta;
            }
            public function payment_complete(string $transaction_id = ''): bool { return false; }
        };
        same(500, send($event));
        \Shop::$orders[$order->id] = $order;
        same(204, send($event));
        same('processing', $order->status);
        same(1, count($order->notes));
    },
];
