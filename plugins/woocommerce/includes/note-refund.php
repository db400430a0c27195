<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/** Milaan moves no money: a person sends the refund from the bank's app. */
function note_refund(int $order_id, int $refund_id): void
{
    $order = wc_get_order($order_id);
    $refund = wc_get_order($refund_id);
    if (!$order || !$refund || $order->get_payment_method() !== METHOD || $order->get_meta(PAID_BY_META) === '') {
        return;
    }
    $attempt = attempts_of($order)[$order->get_meta(PAID_BY_META)] ?? ['order_id' => '–'];
    /* translators: 1: sum, 2: the bank's reference number, 3: Milaan's order id */
    $order->add_order_note(sprintf(__('Send %1$s back from your bank\'s app to whoever paid under bank reference %2$s. The payer\'s name and UPI ID are in Milaan at order %3$s; note there that it was given back.', 'milaan-upi'), rupees($refund->get_amount()), $order->get_transaction_id() ?: '–', $attempt['order_id'] ?? '–'));
}
