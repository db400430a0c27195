<?php

namespace Milaan\Woo;

return [
    'a late payment is told as late' => function () {
        [$order, $id] = open_order();
        send(recorded('late', $order, $id));
        same('processing', $order->status);
        like('/confirmed late/', $order->notes[0]);
    },
    'a sum that a person accepted is told with both sums' => function () {
        [$order, $id] = open_order();
        send(recorded('accepted', $order, $id, ['received_amount' => 500]));
        same('processing', $order->status);
        like('/^₹500\.00 received.*₹500\.37 was to be paid; a person accepted ₹500\.00 in Milaan/u', $order->notes[0]);
    },
    'under review the order waits on hold, and then goes either way' => function () {
        foreach (['paid' => 'processing', 'failed' => 'failed', 'expired' => 'pending'] as $end => $status) {
            [$order, $id] = open_order();
            $review = recorded('paid', $order, $id, ['status' => 'manual_review', 'received_amount' => 500, 'bank_reference' => null, 'paid_at' => null]);
            send(['type' => 'payment.review'] + $review);
            same('on-hold', $order->status);
            like('/^₹500\.00 came by UPI, but ₹500\.37 was to be paid\. Open Payments › To decide/u', $order->notes[0]);
            take_news(['status' => $end, 'received_amount' => 500] + recorded('paid', $order, $id)['data'], 'live');
            same($status, $order->status, $end);
            same(2, count($order->notes));
        }
    },
    'an expired link is noted once and leaves the order open' => function () {
        [$order, $id] = open_order();
        $news = ['status' => 'expired', 'paid_at' => null] + recorded('paid', $order, $id)['data'];
        take_news($news, 'live');
        take_news($news, 'live');
        same('pending', $order->status);
        same(1, count($order->notes));
    },
    'a cancelled order is opened again when everything is there' => function () {
        [$order, $id] = open_order('cancelled');
        send(recorded('late', $order, $id));
        same('processing', $order->status);
        like('/had been cancelled; everything is in stock/', $order->notes[0]);
    },
    'a cancelled order whose goods are gone, or are being paid for by others, waits for the owner' => function () {
        foreach ([[1, 0], [0, 0], [5, 4]] as [$stock, $held]) {
            [$order, $id] = open_order('cancelled', [], $stock);
            $order->items[0]->get_product()->held = $held;
            $mails = count(\Shop::$mails);
            send(recorded('late', $order, $id));
            same('on-hold', $order->status);
            same($stock, $order->items[0]->get_product()->stock, 'nothing is taken that is not there');
            like('/received by UPI.*Not enough in stock any more: Tea/', $order->notes[0]);
            same($mails + 1, count(\Shop::$mails));
            same($order->transaction_id, recorded('late', $order, $id)['data']['bank_reference']);
        }
    },
    'an order whose total changed meanwhile is held, not sent' => function () {
        [$order, $id] = open_order();
        $order->total = 900.0;
        send(recorded('paid', $order, $id));
        same('on-hold', $order->status);
        like('/started for ₹500\.00, but the order comes to ₹900\.00/u', $order->notes[0]);
        same(1, count(\Shop::$mails));
    },
    'a refunded order stays refunded, and the owner is told of the money' => function () {
        [$order, $id] = open_order('refunded');
        send(recorded('paid', $order, $id));
        same('refunded', $order->status);
        like('/The order is "Refunded" and was not changed/', \Shop::$mails[0][2]);
    },
    'a second payment over another link is to be given back' => function () {
        [$order, $id] = open_order();
        send(recorded('paid', $order, $id));
        $second = new_attempt_id($order);
        keep_attempt($order, $second, ['order_id' => 'ML-0000000002'] + attempts_of($order)[$id]);
        $attempts = attempts_of($order);
        $attempts[$second]['told'] = 'pending';
        $order->update_meta_data(ATTEMPTS_META, $attempts);
        send(recorded('paid', $order, $second, ['order_id' => 'ML-0000000002']));
        same(1, $order->completed);
        like('/paid twice/', $order->notes[1]);
        same(1, count(\Shop::$mails));
    },
    'an order that the owner had marked as paid keeps its state' => function () {
        [$order, $id] = open_order('completed');
        send(recorded('paid', $order, $id));
        same('completed', $order->status);
        like('/had been marked as paid already/', $order->notes[0]);
    },
    'an order that went over to cash on delivery tells the owner that it is paid by UPI too' => function () {
        [$order, $id] = open_order('processing');
        $order->method = 'cod';
        send(recorded('paid', $order, $id));
        like('/also paid in another way/', \Shop::$mails[0][2]);
    },
    'a draft of the checkout, which WooCommerce would leave as it is, becomes a paid order' => function () {
        [$order, $id] = open_order('checkout-draft');
        $order->method = '';
        same(204, send(recorded('paid', $order, $id)));
        same(['processing', 'milaan', 1], [$order->status, $order->method, $order->completed]);
    },
    'a refund is a note of what to send back, to whom' => function () {
        [$order, $id] = open_order();
        send(recorded('paid', $order, $id));
        $refund = new \WC_Order(900);
        $refund->refunded = 1250;
        note_refund($order->id, 900);
        like("/^Send ₹1,250\.00 back .* $order->transaction_id\..* ML-0000000001/u", $order->notes[1]);
    },
    'rupees are written as in India' => function () {
        same(['₹0.05', '₹999.00', '₹1,000.50', '₹10,00,000.00', '₹12,34,567.89'], array_map(__NAMESPACE__ . '\rupees', [0.05, 999, 1000.5, 1000000, 1234567.89]));
    },
];
