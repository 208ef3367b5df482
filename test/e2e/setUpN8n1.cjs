'use strict';

const { prepare } = require('./setUp.cjs');

/** The same for n8n 1. */
module.exports = () => prepare('1');
