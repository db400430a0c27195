<?php

namespace Milaan\Woo;

/** A Milaan that creates what it is asked for and knows the state of what it created. */
function fake_milaan(array &$asked, string $status = 'pending'): void
{
    \Shop::$milaan = function (string $method, string $url, ?array $body) use (&$asked, $status) {
        $asked[] = [$method, $url, $body];
        $n = count($asked);
        if ($method === 'POST') {
            return [201, ['order_id' => "ML-000000000$n", 'payable_amount' => $body['amount'] + 0.11, 'status' => 'pending', 'payment_url' => "https://pay.example.in/pay/$n", 'expires_at' => gmdate('c', time() + 300)]];
        }
        $order = end(\Shop::$orders);
        foreach (attempts_of($order) as $id => $attempt) {
            if ($attempt['order_id'] === basename($url)) {
                return [200, ['status' => $status, 'order_id' => $attempt['order_id'], 'merchant_order_id' => $id] + recorded('paid', $order, $id)['data']];
            }
        }
        return [404, ['error' => 'order_not_found', 'message' => 'no such order']];
    };
}

return [
    'a try is kept before Milaan is asked, and is checked on later' => function () {
        $order = new \WC_Order(31);
        \Shop::$milaan = function ($method, $url, $body) use ($order) {
            same([$body['merchant_order_id']], array_keys(attempts_of($order)));
            return [201, ['order_id' => 'ML-0000000001', 'payable_amount' => 500.11, 'status' => 'pending', 'payment_url' => 'https://pay.example.in/pay/1']];
        };
        $created = start_payment(31);
        same('https://pay.example.in/pay/1', $created['payment_url']);
        like('/^woo-31-1-[a-z0-9]{10}$/', $created['merchant_order_id']);
        same([[CHECKS[0], [31, $created['merchant_order_id'], 0]]], \Shop::$planned);
    },
    'every order is checked on, and a link shown again is not checked on twice' => function () {
        $asked = [];
        fake_milaan($asked);
        foreach ([31, 32] as $number) {
            new \WC_Order($number);
            start_payment($number);
            start_payment($number);
        }
        same([31, 32], array_map(fn ($planned) => $planned[1][0], \Shop::$planned));
    },
    'the body carries the total, the chosen account, the customer and our own addresses' => function () {
        $asked = [];
        fake_milaan($asked);
        new \WC_Order(31, 1249.5);
        start_payment(31);
        [$method, $url, $body] = $asked[0];
        same(['POST', 'https://pay.example.in/api/v1/orders'], [$method, $url]);
        unset($body['merchant_order_id']);
        same([
            'amount' => 1249.5,
            'success_url' => 'https://shop.example/received/31',
            'failure_url' => 'https://shop.example/pay/31',
            'webhook_url' => 'https://shop.example/?wc-api=milaan',
            'customer' => ['email' => 'asha@customer.example', 'name' => 'Asha Rao'],
            'payment_account_id' => 'acc_1',
        ], $body);
    },
    'a link that is still open is shown again; one that ran out is followed by a fresh id' => function () {
        $asked = [];
        fake_milaan($asked);
        $order = new \WC_Order(31);
        $first = start_payment(31);
        same($first['merchant_order_id'], start_payment(31)['merchant_order_id']);
        fake_milaan($asked, 'expired');
        $second = start_payment(31);
        same(2, count(attempts_of($order)));
        if ($second['merchant_order_id'] === $first['merchant_order_id']) {
            throw new \Exception('the id was used again');
        }
    },
    'a link with less than a minute left is not shown again' => function () {
        $asked = [];
        fake_milaan($asked);
        $order = new \WC_Order(31);
        $id = start_payment(31)['merchant_order_id'];
        keep_attempt($order, $id, ['started' => time() - REUSE_SECONDS] + attempts_of($order)[$id]);
        start_payment(31);
        same(2, count(attempts_of($order)));
    },
    'a changed total is a fresh try' => function () {
        $asked = [];
        fake_milaan($asked);
        $order = new \WC_Order(31);
        start_payment(31);
        $order->total = 700.0;
        start_payment(31);
        same([500, 700], array_map(fn ($attempt) => $attempt['amount'], array_values(attempts_of($order))));
    },
    'whoever paid already is not sent to pay again' => function () {
        $asked = [];
        fake_milaan($asked);
        $order = new \WC_Order(31);
        start_payment(31);
        fake_milaan($asked, 'paid');
        same(null, start_payment(31));
        same('processing', $order->status);
    },
    'a create without an answer is sent again under the same id' => function () {
        $order = new \WC_Order(31);
        \Shop::$milaan = function () {
            throw new \RuntimeException('no route');
        };
        try {
            start_payment(31);
            throw new \Exception('it said nothing');
        } catch (CannotPay $problem) {
            like('/try again in a moment/', $problem->getMessage());
        }
        [$id] = array_keys(attempts_of($order));
        $asked = [];
        fake_milaan($asked);
        same($id, start_payment(31)['merchant_order_id']);
    },
    'a refusal is told to the customer in plain words and noted for the owner' => function () {
        $order = new \WC_Order(31);
        \Shop::$milaan = fn () => [402, ['error' => 'plan_limit_reached', 'message' => 'The plan is used up.']];
        try {
            start_payment(31);
            throw new \Exception('it said nothing');
        } catch (CannotPay $problem) {
            like('/can\'t take new UPI payments here right now/', $problem->getMessage());
        }
        like('/Milaan says: The plan is used up/', $order->notes[0]);
        same([], attempts_of($order));
    },
    'an answer for another sum is refused: that order is somebody else\'s' => function () {
        new \WC_Order(31);
        \Shop::$milaan = fn () => [200, ['order_id' => 'ML-0000000001', 'payable_amount' => 10.11, 'status' => 'pending', 'payment_url' => 'https://pay.example.in/pay/1', 'idempotent_replay' => true]];
        try {
            start_payment(31);
        } catch (CannotPay $problem) {
            return;
        }
        throw new \Exception('it was taken');
    },
    'other currencies and sums beyond ₹10,00,000 are not begun' => function () {
        foreach ([new \WC_Order(31, 500.0, 'pending', 'USD'), new \WC_Order(32, 1000000.01), new \WC_Order(33, 0.0)] as $order) {
            try {
                start_payment($order->id);
            } catch (CannotPay $problem) {
                continue;
            }
            throw new \Exception("order $order->id was begun");
        }
    },
    'the reconciliation pays what a lost webhook left open, and finds a try that got no answer by its id' => function () {
        foreach (['ML-0000000001', null] as $known) {
            [$order, $id] = open_order('pending', ['order_id' => $known]);
            $data = recorded('paid', $order, $id)['data'];
            \Shop::$milaan = function ($method, $url) use ($known, $id, $data) {
                like($known === null ? "/merchant_order_id=$id/" : '#/orders/ML-0000000001$#', $url);
                return [200, $known === null ? ['data' => [$data], 'has_more' => false, 'next_cursor' => null] : $data];
            };
            check_attempt($order->id, $id, 0);
            same('processing', $order->status);
        }
    },
    'without an answer it asks again, and while nothing is decided it looks again later' => function () {
        [$order, $id] = open_order();
        \Shop::$milaan = function () {
            throw new \RuntimeException('no route');
        };
        check_attempt($order->id, $id, 2);
        same([[PAUSE_WITHOUT_ANSWER, [$order->id, $id, 2]]], \Shop::$planned);
        \Shop::$planned = [];
        \Shop::$milaan = fn () => [200, ['status' => 'expired'] + recorded('paid', $order, $id)['data']];
        check_attempt($order->id, $id, 0);
        same([[CHECKS[1] - CHECKS[0], [$order->id, $id, 1]]], \Shop::$planned);
        \Shop::$planned = [];
        check_attempt($order->id, $id, count(CHECKS) - 1);
        same([], \Shop::$planned, 'the last one is the last');
    },
    'the key travels over https alone, except to this machine' => function () {
        same(
            ['https://pay.example.in', 'https://pay.example.in', null, 'http://127.0.0.1:3000', null, null],
            array_map(__NAMESPACE__ . '\usable_address', ['pay.example.in', ' https://pay.example.in/ ', 'http://pay.example.in', 'http://127.0.0.1:3000', '', 'not an address'])
        );
    },
    'in the sandbox only people of the shop may pay' => function () {
        same([true, false], [may_pay_in('live'), may_pay_in('sandbox')]);
    },
];
