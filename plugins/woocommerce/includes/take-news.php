<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/**
 * The only place where Milaan's answers change an order: from a webhook, the customer's return or the reconciliation.
 * `$news` is a verified order as the API returns it. The same news twice changes nothing. Returns false if the shop
 * does not know the attempt.
 */
function take_news(array $news, string $mode): bool
{
    $order_id = order_id_in((string) ($news['merchant_order_id'] ?? ''));
    if ($order_id === null) {
        return false;
    }
    return with_lock($order_id, function () use ($order_id, $news, $mode) {
        return take_news_locked($order_id, $news, $mode);
    });
}

/** For a caller that already holds the order's lock. */
function take_news_locked(int $order_id, array $news, string $mode): bool
{
    $order = wc_get_order($order_id);
    $id = (string) $news['merchant_order_id'];
    $attempt = $order instanceof \WC_Order ? (attempts_of($order)[$id] ?? null) : null;
    // A sandbox payment is no money, so it settles only attempts started in the sandbox.
    if ($attempt === null || $attempt['mode'] !== $mode || !in_array($attempt['order_id'], [null, $news['order_id']], true)) {
        return false;
    }
    $status = (string) $news['status'];
    if ($attempt['told'] === $status) {
        return true;
    }
    switch ($status) {
        case 'paid':
            settle_paid($order, $id, $attempt, $news);
            break;
        case 'manual_review':
            wait_for_owner($order, $attempt, $news);
            break;
        case 'failed':
            note_declined($order);
            break;
        case 'expired':
            note_expired($order, $attempt);
            break;
        default:
            return true;
    }
    // Last: if the process dies before this line, the next one repeats the work and changes nothing twice.
    $attempt['order_id'] = $news['order_id'];
    $attempt['told'] = $status;
    keep_attempt(wc_get_order($order_id), $id, $attempt);
    return true;
}

/** A genuine payment with another amount came for this order; a person decides about it in Milaan. */
function wait_for_owner(\WC_Order $order, array $attempt, array $news): void
{
    $received = isset($news['received_amount'])
        /* translators: 1: the sum that came, 2: the sum that was asked for */
        ? sprintf(__('%1$s came by UPI, but %2$s was to be paid.', 'milaan-upi'), rupees($news['received_amount']), rupees($news['payable_amount']))
        /* translators: %s: the sum that was asked for */
        : sprintf(__('Money came by UPI, but not exactly %s.', 'milaan-upi'), rupees($news['payable_amount']));
    $note = $received . ' ' . __('Open Payments › To decide in Milaan, and accept it or give it back. Do not send the goods before.', 'milaan-upi');
    if ($order->has_status(['pending', 'failed'])) {
        hold($order, $note);
    } else {
        $order->add_order_note($note);
    }
}

function note_declined(\WC_Order $order): void
{
    $note = __('The UPI payment was declined in Milaan by a person. The money that came is to be given back.', 'milaan-upi');
    if ($order->has_status(['pending', 'on-hold']) && $order->get_meta(PAID_BY_META) === '') {
        $order->update_status('failed', $note);
    } else {
        $order->add_order_note($note);
    }
}

function note_expired(\WC_Order $order, array $attempt): void
{
    if ($attempt['told'] === 'manual_review' && $order->has_status('on-hold')) {
        $order->update_status('pending', __('The money that came by UPI was found to belong elsewhere.', 'milaan-upi'));
        return;
    }
    $order->add_order_note(__('The time to pay by UPI ran out. A payment that the bank reports late is still counted for ten minutes.', 'milaan-upi'));
}

/** Sets the order on hold without taking missing stock. */
function hold(\WC_Order $order, string $note): void
{
    $keep_stock = missing_stock($order) !== [];
    $leave = function () {
        return false;
    };
    if ($keep_stock) {
        add_filter('woocommerce_payment_complete_reduce_order_stock', $leave);
    }
    try {
        $order->update_status('on-hold', $note);
    } finally {
        remove_filter('woocommerce_payment_complete_reduce_order_stock', $leave);
    }
}
