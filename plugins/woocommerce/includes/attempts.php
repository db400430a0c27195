<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/**
 * Every payment attempt by its merchant_order_id at Milaan: mode, amount, started (our clock), order_id and payment_url
 * (null until Milaan answered), told (the last state noted in the order).
 */
const ATTEMPTS_META = '_milaan_attempts';
/** The attempt that paid. It is written before the order is completed. */
const PAID_BY_META = '_milaan_paid_by';

function attempts_of(\WC_Order $order): array
{
    $attempts = $order->get_meta(ATTEMPTS_META);
    return is_array($attempts) ? $attempts : [];
}

function keep_attempt(\WC_Order $order, string $id, ?array $attempt): void
{
    $attempts = attempts_of($order);
    if ($attempt === null) {
        unset($attempts[$id]);
    } else {
        $attempts[$id] = $attempt;
    }
    $order->update_meta_data(ATTEMPTS_META, $attempts);
    $order->save_meta_data();
}

/** Random at its end, because a copy of the shop (a staging site) continues with the same order numbers. */
function new_attempt_id(\WC_Order $order): string
{
    return 'woo-' . $order->get_id() . '-' . (count(attempts_of($order)) + 1) . '-' . strtolower(wp_generate_password(10, false));
}

/** The order that an attempt's id names. Only the order's meta proves that the attempt belongs to it. */
function order_id_in(string $attempt_id): ?int
{
    return preg_match('/^woo-(\d{1,18})-\d{1,9}-[a-z0-9]{10}$/D', $attempt_id, $found) ? (int) $found[1] : null;
}
