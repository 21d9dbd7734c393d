console.error('reading settings');
throw new TypeError('settings.port is not a number');
