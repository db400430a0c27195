<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

/** A payment completes an order in these states. In others (refunded, in the bin, the shop's own) a person decides. */
const OPEN_STATUSES = ['pending', 'failed', 'on-hold', 'cancelled', 'checkout-draft'];

/** Money is there. The order's next state depends on the shop's changes since the attempt began. */
function settle_paid(\WC_Order $order, string $id, array $attempt, array $news): void
{
    $words = sentence_of($news, $attempt);
    $paid_by = (string) $order->get_meta(PAID_BY_META);
    if ($paid_by !== '' && $paid_by !== $id) {
        tell_owner($order, "$words " . __('This order was paid by UPI before: the customer paid twice. Give this payment back.', 'milaan-upi'));
        return;
    }
    if ($paid_by === '' && $order->is_paid()) {
        $what = "$words " . __('The order had been marked as paid already. If the customer also paid in another way, give this payment back.', 'milaan-upi');
        // The customer chose another method since, such as cash on delivery, which would be collected as well.
        if ($order->get_payment_method() === METHOD) {
            $order->add_order_note($what);
        } else {
            tell_owner($order, $what);
        }
        return;
    }
    $order->update_meta_data(PAID_BY_META, $id);
    $order->save_meta_data();
    if (!$order->is_paid() && !$order->has_status(OPEN_STATUSES)) {
        /* translators: %s: the order's status */
        $what = sprintf(__('The order is "%s" and was not changed. Send the goods or give the money back.', 'milaan-upi'), wc_get_order_status_name($order->get_status()));
        tell_owner($order, "$words $what");
        return;
    }
    $problem = problem_with($order, $news);
    if ($problem !== null) {
        $order->set_transaction_id((string) ($news['bank_reference'] ?? ''));
        $order->save();
        hold($order, '');
        tell_owner($order, "$words $problem");
        return;
    }
    $was_cancelled = $order->has_status('cancelled');
    if ($order->has_status('checkout-draft')) {
        // The customer went back to the checkout. WooCommerce silently refuses to complete a draft.
        $order->set_status('pending');
    }
    $order->set_payment_method(METHOD);
    if (!$order->payment_complete((string) ($news['bank_reference'] ?? '')) || !$order->get_date_paid()) {
        throw new \RuntimeException('WooCommerce could not complete the payment of order ' . $order->get_id());
    }
    $order->add_order_note(trim("$words " . ($was_cancelled
        ? __('The order had been cancelled; everything is in stock, so it was opened again.', 'milaan-upi')
        : '')));
}

/** Why the order must not continue automatically although the money came; null if there is no reason. */
function problem_with(\WC_Order $order, array $news): ?string
{
    if (paise($order->get_total()) !== paise($news['amount'])) {
        /* translators: 1: sum for which the payment was started, 2: the order's total now */
        return sprintf(__('The payment was started for %1$s, but the order comes to %2$s now. Put this right with the customer before you send anything.', 'milaan-upi'), rupees($news['amount']), rupees($order->get_total()));
    }
    $missing = missing_stock($order);
    if ($missing !== []) {
        /* translators: %s: list of products */
        return sprintf(__('Not enough in stock any more: %s. Get it and set the order to "Processing", or give the money back.', 'milaan-upi'), implode(', ', $missing));
    }
    return null;
}

/** The payment in words: amounts, the bank's reference, lateness, a person's decision, and a note on test money. */
function sentence_of(array $news, array $attempt): string
{
    $received = $news['received_amount'] ?? $news['payable_amount'];
    /* translators: 1: sum received, 2: the bank's reference number */
    $words = [sprintf(__('%1$s received by UPI, bank reference %2$s.', 'milaan-upi'), rupees($received), $news['bank_reference'] ?? '–')];
    if (paise($received) !== paise($news['payable_amount'])) {
        /* translators: 1: sum asked for, 2: sum received */
        $words[] = sprintf(__('%1$s was to be paid; a person accepted %2$s in Milaan.', 'milaan-upi'), rupees($news['payable_amount']), rupees($received));
    } else {
        /* translators: 1: the order's total, 2: a few paise */
        $words[] = sprintf(__('That is %1$s and %2$s by which Milaan tells payments apart.', 'milaan-upi'), rupees($news['amount']), rupees($news['payable_amount'] - $news['amount']));
    }
    if (!empty($news['paid_at']) && strtotime($news['paid_at']) > strtotime($news['expires_at'])) {
        $words[] = __('It was confirmed late, after the time to pay had run out.', 'milaan-upi');
    }
    if ($attempt['mode'] === 'sandbox') {
        $words[] = __('THIS IS A TEST: no money came.', 'milaan-upi');
    }
    return implode(' ', $words);
}
