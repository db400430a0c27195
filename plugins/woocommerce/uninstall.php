<?php

defined('WP_UNINSTALL_PLUGIN') || exit;

/** Removes all our data. Notes and bank references in orders are the shop's own records and stay. */
function milaan_upi_leave_site(): void
{
    global $wpdb;
    delete_option('milaan_connections');
    delete_option('woocommerce_milaan_settings');
    foreach (['milaan\_lock\_%', '\_transient\_milaan\_%', '\_transient\_timeout\_milaan\_%'] as $pattern) {
        $wpdb->query($wpdb->prepare("delete from {$wpdb->options} where option_name like %s", $pattern));
    }
    foreach ([$wpdb->postmeta, $wpdb->prefix . 'wc_orders_meta'] as $table) {
        if ($wpdb->get_var($wpdb->prepare('show tables like %s', $wpdb->esc_like($table))) === $table) {
            $wpdb->query("delete from $table where meta_key in ('_milaan_attempts', '_milaan_paid_by')");
        }
    }
    $actions = $wpdb->prefix . 'actionscheduler_actions';
    if ($wpdb->get_var($wpdb->prepare('show tables like %s', $wpdb->esc_like($actions))) === $actions) {
        $wpdb->query("delete l from {$wpdb->prefix}actionscheduler_logs l join $actions a on a.action_id = l.action_id where a.hook = 'milaan_check_attempt'");
        $wpdb->query("delete from $actions where hook = 'milaan_check_attempt'");
        $wpdb->query("delete from {$wpdb->prefix}actionscheduler_groups where slug = 'milaan'");
    }
    wp_cache_flush();
}

if (is_multisite()) {
    foreach (get_sites(['fields' => 'ids', 'number' => 0]) as $milaan_upi_site) {
        switch_to_blog($milaan_upi_site);
        milaan_upi_leave_site();
        restore_current_blog();
    }
} else {
    milaan_upi_leave_site();
}
