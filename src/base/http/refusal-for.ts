import { isDatabaseDown } from '../database/database-down.ts';
import { ApiError, movedAway } from './api-error.ts';

const databaseDownRetrySeconds = 2;
/** The SQLSTATE of `refuse_moved`. */
const movedState = 'ML503';

export function refusalFor(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isDatabaseDown(error)) {
    return new ApiError('service_unavailable', { retryAfterSeconds: databaseDownRetrySeconds });
  }
  const { statusCode, code } = error as { statusCode?: number; code?: string };
  if (code === movedState) return movedAway();
  if (statusCode === 413 || code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new ApiError('request_too_large');
  // Check before the statuses: a parameter longer than any id has status 414.
  if (code === 'FST_ERR_BAD_URL' || code === 'FST_ERR_MAX_PARAM_LENGTH') return new ApiError('not_found');
  if (statusCode === 414 || statusCode === 431) return new ApiError('headers_too_large');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new ApiError('invalid_request');
  return new ApiError('internal_error');
}
