// The address the reader came by is the one their commands should use.
for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;
