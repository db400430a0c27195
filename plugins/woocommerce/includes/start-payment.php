<?php

namespace Milaan\Woo;

use Milaan\MilaanError;

defined('ABSPATH') || exit;

const MOST_RUPEES = 1000000;
/** An open link is shown again until this age; later too little of its five minutes is left. */
const REUSE_SECONDS = 4 * 60;

/** Its message is for the customer, already in their language. */
final class CannotPay extends \RuntimeException
{
}

/**
 * Starts a payment attempt and returns Milaan's answer to the create call; null if the order is already paid. A link
 * that is still open is used again. Each other attempt has its own id.
 */
function start_payment(int $order_id): ?array
{
    return with_lock($order_id, function () use ($order_id) {
        $order = wc_get_order($order_id);
        $connection = connection(mode());
        if (!$order || $connection === null || $order->get_currency() !== 'INR') {
            throw new CannotPay(__('UPI payments are not set up in this shop yet. Please choose another way to pay.', 'milaan-upi'));
        }
        if (paise($order->get_total()) < 1 || $order->get_total() > MOST_RUPEES) {
            throw new CannotPay(__('This sum cannot be paid by UPI here. Please choose another way to pay.', 'milaan-upi'));
        }
        $unanswered = settle_earlier($order, $connection);
        $order = wc_get_order($order_id);
        return $order->needs_payment() ? create_attempt($order, $connection, $unanswered) : null;
    });
}

/** Asks about earlier attempts, so that nobody pays twice. Returns the id of one that can be used again. */
function settle_earlier(\WC_Order $order, array $connection): ?string
{
    $usable = null;
    foreach (attempts_of($order) as $id => $attempt) {
        if ($attempt['mode'] !== mode() || in_array($attempt['told'], ['paid', 'failed'], true)) {
            continue;
        }
        $same = paise($attempt['amount']) === paise($order->get_total()) && time() - $attempt['started'] < REUSE_SECONDS;
        if ($attempt['order_id'] === null) {
            $usable = $same ? $id : $usable;
            continue;
        }
        try {
            $news = client($connection, 0)->getOrder($attempt['order_id']);
            take_news_locked($order->get_id(), $news, $attempt['mode']);
            $usable = $same && $news['status'] === 'pending' ? $id : $usable;
        } catch (MilaanError $error) {
            log_line('warning', "attempt $id could not be asked for: {$error->code}");
        }
    }
    return $usable;
}

function create_attempt(\WC_Order $order, array $connection, ?string $id): array
{
    $id = $id ?? new_attempt_id($order);
    $attempt = attempts_of($order)[$id] ?? [
        'mode' => mode(),
        'amount' => paise($order->get_total()) / 100,
        'started' => time(),
        'order_id' => null,
        'payment_url' => null,
        'told' => 'pending',
    ];
    // Saved before the call: a webhook must never name an attempt that the shop does not know.
    keep_attempt($order, $id, $attempt);
    schedule_check($order->get_id(), $id, 0);
    try {
        $created = client($connection)->createOrder(body_for($order, $connection, $id, $attempt));
    } catch (MilaanError $error) {
        refuse($order, $id, $error);
    }
    $offset = paise($created['payable_amount']) - paise($attempt['amount']);
    if ($offset < 1 || $offset > 299) {
        log_line('error', "attempt $id was answered with {$created['payable_amount']} for {$attempt['amount']}");
        throw new CannotPay(__('The payment could not be started. Please try again.', 'milaan-upi'));
    }
    $attempt['order_id'] = $created['order_id'];
    $attempt['payment_url'] = $created['payment_url'];
    keep_attempt($order, $id, $attempt);
    return $created + ['merchant_order_id' => $id];
}

function body_for(\WC_Order $order, array $connection, string $id, array $attempt): array
{
    $customer = array_filter([
        'email' => is_email($order->get_billing_email()) ? $order->get_billing_email() : null,
        'name' => mb_substr(trim($order->get_formatted_billing_full_name()), 0, 120) ?: null,
    ]);
    return array_filter([
        'amount' => $attempt['amount'],
        'merchant_order_id' => $id,
        'success_url' => $order->get_checkout_order_received_url(),
        'failure_url' => $order->get_checkout_payment_url(),
        'webhook_url' => webhook_url(),
        'customer' => $customer,
        'payment_account_id' => $connection['payment_account_id'] ?? '',
    ]);
}

/** A refusal is final for this id. Without an answer the order may exist, so the same id is sent again. */
function refuse(\WC_Order $order, string $id, MilaanError $error): void
{
    $code = $error->code;
    log_line('error', "attempt $id: $code, " . $error->getMessage());
    if ($error->status !== null && $error->status >= 400 && $error->status < 500) {
        keep_attempt($order, $id, null);
        /* translators: %s: what Milaan answered */
        $order->add_order_note(sprintf(__('UPI payment could not be started. Milaan says: %s', 'milaan-upi'), $error->getMessage()));
    }
    throw new CannotPay(
        $error->status === 402
            ? __("This shop can't take new UPI payments here right now. Please contact the shop.", 'milaan-upi')
            : __('The payment could not be started. Please try again in a moment.', 'milaan-upi')
    );
}
