<?php

namespace Milaan\Woo;

defined('ABSPATH') || exit;

const LOCK_PREFIX = 'milaan_lock_';
/** Longer than any work under a lock, so that a dead process does not keep it. */
const LOCK_SECONDS = 60;
const LOCK_PATIENCE_SECONDS = 12;

final class LockBusy extends \RuntimeException
{
}

/**
 * Runs one task at a time for an order: a webhook, the customer's return and the reconciliation may coincide.
 * WooCommerce would otherwise complete the payment, send mails and take stock for each. The lock is a row with a unique
 * name, because every host has a database. Data read before the lock is forgotten.
 */
function with_lock(int $order_id, callable $work)
{
    global $wpdb;
    $name = LOCK_PREFIX . $order_id;
    $mine = wp_generate_password(16, false);
    $until = microtime(true) + LOCK_PATIENCE_SECONDS;
    while (!take_lock($name, $mine)) {
        if (microtime(true) > $until) {
            throw new LockBusy("order $order_id is being worked on");
        }
        usleep(200000);
    }
    try {
        if (function_exists('wp_cache_supports') && wp_cache_supports('flush_runtime')) {
            wp_cache_flush_runtime();
        }
        clean_post_cache($order_id);
        return $work();
    } finally {
        $wpdb->query($wpdb->prepare("delete from {$wpdb->options} where option_name = %s and option_value like %s", $name, '%' . $mine));
    }
}

function take_lock(string $name, string $mine): bool
{
    global $wpdb;
    $value = time() . " $mine";
    $sql = "insert ignore into {$wpdb->options} (option_name, option_value, autoload) values (%s, %s, 'no')";
    if ($wpdb->query($wpdb->prepare($sql, $name, $value)) === 1) {
        return true;
    }
    $stale = "update {$wpdb->options} set option_value = %s where option_name = %s and cast(option_value as unsigned) < %d";
    return $wpdb->query($wpdb->prepare($stale, $value, $name, time() - LOCK_SECONDS)) === 1;
}
