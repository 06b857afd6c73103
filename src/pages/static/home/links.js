// Addresses of views for pages outside /explore.
import { writeAddress } from '../address.js';

/** The address of a view with its parameters, from any page. */
export const linkTo = (view, params = {}) => `/explore${writeAddress(view, params)}`;
